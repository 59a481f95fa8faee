// Tests what is done with the definitions in `crds/` of a chart.
import t, { type Test } from 'tap'
import { createApiServer } from '../../../../apiserver/api-server.js'
import { VirtualClock } from '../../../../testing/clock/virtual-clock.js'
import type { TestOperator, TestOperatorOptions } from '../../../../testing/index.js'
import {
  type CustomResourceDefinition,
  configMaps,
  customResourceDefinitions,
} from '../../../engine/kube/builtin.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { Resource } from '../../../engine/kube/resource.js'
import { type Logger, silentLogger } from '../../../engine/observe/logger.js'
import { functionChart } from '../../chart/function-chart.js'
import { defaultRenderer } from '../../render/default-renderer.js'
import type { ChartRenderer } from '../../render/renderer.js'
import { configMap, definition, greetings, key } from '../greetings.fixture.js'
import type { HelmControllerOptions } from '../options/options.js'
import { conditionOf, create, eventsOf, find, history, start, until } from '../reconciled.fixture.js'

const things: Resource = {
  group: 'example.com',
  version: 'v1',
  kind: 'Thing',
  plural: 'things',
  namespaced: true,
}
const named = (description: string): CustomResourceDefinition => {
  const [version] = definition.spec.versions
  const schema = { openAPIV3Schema: { ...version?.schema?.openAPIV3Schema, description } }
  return {
    ...definition,
    metadata: { name: 'things.example.com' },
    spec: {
      ...definition.spec,
      names: { kind: 'Thing', plural: 'things' },
      versions: [{ ...version, schema }] as CustomResourceDefinition['spec']['versions'],
    },
  }
}

/** A chart with an object of the kind that its `crds/` defines. */
const chart = functionChart({ name: 'things', version: '1.0.0' }, (_, { name }) => [
  configMap(name, {}),
  { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name } } as KubeObject,
])

/** Starts an operator whose chart has this definition. */
async function startWith(
  t: Test,
  crd: CustomResourceDefinition,
  options: Partial<HelmControllerOptions> = {},
  more: TestOperatorOptions = {},
  rendered = chart,
) {
  const inner = await defaultRenderer([rendered])
  const renderer: ChartRenderer = {
    name: 'test',
    close: async () => {},
    render: async (request, signal) => ({
      ...(await inner.render(request, signal)),
      crds: [{ source: 'things/crds/a.yaml', object: crd as unknown as KubeObject }],
    }),
  }
  return start(t, { chart, renderer, ...options }, more)
}

const at = { namespace: '', name: 'things.example.com' }
const live = ({ client }: TestOperator) => client.get(customResourceDefinitions, at)
const descriptionOf = async (test: TestOperator) =>
  (await live(test)).spec.versions.map(
    ({ schema }) => JSON.stringify(schema).match(/"description":"(.*?)"/)?.[1],
  )[0]
const change = ({ client }: TestOperator, body: object) =>
  client.patch(customResourceDefinitions, at, { type: 'merge', body })

/** A definition with the short name of another one is not established before that is gone. */
const withShortName = (plural: string, kind: string): CustomResourceDefinition => {
  const one = named('one')
  const names = { kind, plural, shortNames: ['th'] }
  return { ...one, metadata: { name: `${plural}.example.com` }, spec: { ...one.spec, names } }
}

/** Counts runs that failed. */
function failedRuns() {
  let count = 0
  const failed = (_: object, message: string) => {
    if (/reconciling failed/.test(message)) count += 1
  }
  const logger: Logger = { ...silentLogger, error: failed, child: () => logger }
  return { logger, failures: () => count }
}

void t.test('a definition is created before the objects, then left alone, and never deleted', async (t) => {
  const { logger, failures } = failedRuns()
  const test = await startWith(t, named('one'), {}, { logger })
  await create(test)
  await test.settled()
  t.strictSame(await history(test), ['1 deployed'])
  t.ok(await find(test, things), 'the object of its kind is there')
  t.equal(failures(), 0, 'it waited for the definition')
  const { resourceVersion } = (await change(test, { metadata: { labels: { by: 'hand' } } })).metadata
  await test.client.create(greetings, { metadata: { ...key, name: 'other' } })
  await test.settled()
  t.ok(await find(test, things, 'other'), 'a second release uses it')
  for (const name of ['hello', 'other']) await test.client.delete(greetings, { ...key, name })
  await test.settled()
  t.equal(await find(test, things), undefined)
  t.equal((await live(test)).metadata.resourceVersion, resourceVersion)
})

void t.test(
  'the end of the wait is an event: no clock moves, and the declared permissions are enough',
  async (t) => {
    const clock = new VirtualClock()
    const main = await createApiServer({ name: 'main', authorization: 'rbac', clock })
    const more = { clock, servers: { main }, permissions: 'declared' } as const
    const test = await startWith(t, named('one'), { reconcilePeriodMs: 0 }, more)
    await create(test)
    await until(async () => (await history(test)).includes('1 deployed'))
    t.ok(await find(test, things))
    t.strictSame(await eventsOf(test, 'WatchForbidden'), [])
  },
)

void t.test('the objects wait until a definition is established, or is made again', async (t) => {
  const { logger, failures } = failedRuns()
  const options = { reconcilePeriodMs: 0 }
  const test = await startWith(t, withShortName('things', 'Thing'), options, { logger })
  const holder = withShortName('thorns', 'Thorn')
  await test.client.create(customResourceDefinitions, holder)
  await create(test)
  const message = 'waits for the definition things.example.com in crds/ to be served'
  await until(async () => (await conditionOf(test, 'Progressing'))?.message === message)
  t.strictSame(await history(test), [])
  t.equal(await find(test, configMaps), undefined)
  const { uid } = (await live(test)).metadata
  await test.client.delete(customResourceDefinitions, at)
  await until(async () => ![undefined, uid].includes((await live(test).catch(() => undefined))?.metadata.uid))
  t.strictSame(await history(test), [], 'the new one is not established, either')
  await test.client.delete(customResourceDefinitions, { namespace: '', name: holder.metadata.name ?? '' })
  await until(async () => (await history(test)).includes('1 deployed'))
  t.ok(await find(test, things))
  t.equal(failures(), 0)
})

void t.test(
  'a definition whose kind another one has is not established, although the kind is served',
  async (t) => {
    const test = await startWith(t, named('one'), { reconcilePeriodMs: 0 })
    const thingies = { ...things, plural: 'thingies' }
    await test.client.create(customResourceDefinitions, withShortName('thingies', 'Thing'))
    const isServed = () =>
      test.client.list(thingies).then(
        () => true,
        () => false,
      )
    await until(isServed)
    await create(test)
    const message = 'waits for the definition things.example.com in crds/ to be served'
    await until(async () => (await conditionOf(test, 'Progressing'))?.message === message)
    await test.settled()
    t.strictSame(await history(test), [])
    t.strictSame((await test.client.list(thingies)).items, [])
  },
)

void t.test('a definition counts for the policy, and is not created if that refuses it', async (t) => {
  const test = await startWith(t, named('one'), { allow: {} })
  await create(test)
  await test.settled()
  t.match(await conditionOf(test, 'Irreconcilable'), {
    status: 'True',
    reason: 'NotAllowed',
    message: /CustomResourceDefinition things.example.com has no namespace/,
  })
  await t.rejects(live(test), { code: 404 })
  t.strictSame(await history(test), [])
})

for (const [crds, expected] of [
  ['install', 'old'],
  ['upgrade', 'new'],
] as const)
  void t.test(
    `with ${crds}, a definition that is there is ${expected === 'new' ? 'changed' : 'kept'}`,
    async (t) => {
      const test = await startWith(t, named('new'), { crds })
      await test.client.create(customResourceDefinitions, named('old'))
      await create(test)
      await test.settled()
      t.strictSame(await history(test), ['1 deployed'])
      t.equal(await descriptionOf(test), expected)
    },
  )

void t.test('with skip, the definition is the task of others', async (t) => {
  const test = await startWith(t, named('one'), { crds: 'skip' })
  await create(test)
  await until(async () => (await conditionOf(test, 'ReleaseFailed'))?.status === 'True')
  t.match(await conditionOf(test, 'ReleaseFailed'), {
    message:
      'the cluster does not serve Thing of example.com/v1, the kind of hello; install its definition, or correct the chart',
  })
  await t.rejects(live(test), { code: 404 })
  t.strictSame(await history(test), [], 'nothing was written')
  await test.client.create(customResourceDefinitions, named('of others'))
  await until(async () => (await history(test)).includes('1 deployed'))
  t.equal(await descriptionOf(test), 'of others')
})

void t.test('an object of another kind in crds/ is created, and stays as it is', async (t) => {
  for (const crds of ['install', 'upgrade'] as const)
    await t.test(crds, async (t) => {
      const group = 'rbac.authorization.k8s.io'
      const roles: Resource = {
        group,
        version: 'v1',
        kind: 'ClusterRole',
        plural: 'clusterroles',
        namespaced: false,
      }
      const role = {
        apiVersion: `${group}/v1`,
        kind: 'ClusterRole',
        metadata: { name: 'reader' },
        rules: [],
      } as KubeObject
      const plain = functionChart({ name: 'plain', version: '1.0.0' }, ({ text }, { name }) => [
        configMap(name, { text: String(text) }),
      ])
      const test = await startWith(t, role as CustomResourceDefinition, { chart: plain, crds }, {}, plain)
      await create(test, { text: 'one' })
      await test.settled()
      t.strictSame(await history(test), ['1 deployed'])
      const reader = { namespace: '', name: 'reader' }
      const changed = await test.client.patch(roles, reader, {
        type: 'merge',
        body: { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] },
      })
      await test.client.patch(greetings, key, { type: 'merge', body: { spec: { text: 'two' } } })
      await test.settled()
      await test.client.delete(greetings, key)
      await test.settled()
      t.strictSame(await test.client.get(roles, reader), changed)
    })
})
