// Tests the releases of custom resources on an embedded API server: installed, upgraded, kept in step, uninstalled.
import t, { type Test } from 'tap'
import { type TestOperator, testOperator } from '../../../testing/index.js'
import type { Client } from '../../client/client.js'
import { configMaps, events, pods, secrets } from '../../kube/builtin.js'
import { isNotFound } from '../../kube/error.js'
import type { KubeObject } from '../../kube/object.js'
import type { Resource } from '../../kube/resource.js'
import { functionChart } from '../chart/function-chart.js'
import type { JsonObject } from '../chart/json-object.js'
import { ReleaseStore } from '../release/release-store.js'
import { chart, configMap, definition, greetings, key, kind } from './greetings.fixture.js'
import { helmReconciler } from './helm-reconciler.js'
import type { HelmReconcilerOptions } from './options.js'

const register =
  (options: Partial<HelmReconcilerOptions> = {}) =>
  (operator: { register(definition: ReturnType<typeof helmReconciler>): void }) =>
    operator.register(helmReconciler({ resource: kind, chart, ...options }))

async function start(t: Test, options: Partial<HelmReconcilerOptions> = {}): Promise<TestOperator> {
  const test = await testOperator(register(options), { definitions: [definition] })
  t.teardown(() => test.stop())
  return test
}

const create = ({ client }: { client: Client }, spec?: JsonObject, annotations = {}) =>
  client.create(greetings, { metadata: { ...key, annotations }, ...(spec && { spec }) })
const edit = ({ client }: { client: Client }, body: object) =>
  client.patch(greetings, key, { type: 'merge', body })
const find = <T extends KubeObject>({ client }: { client: Client }, resource: Resource<T>, name = 'hello') =>
  client.get(resource, { namespace: 'default', name }).catch((error: unknown) => {
    if (!isNotFound(error)) throw error
    return undefined
  })
const history = async ({ client }: { client: Client }) =>
  (await new ReleaseStore(client, Date.now).revisions('default', 'hello')).map(
    ({ release }) => `${release.version} ${release.info.status}`,
  )
const statusOf = async (test: TestOperator) => (await find(test, greetings))?.status
const conditionOf = async (test: TestOperator, type: string) =>
  (await statusOf(test))?.conditions?.find((one) => one.type === type)

void t.test('a custom resource gets a release of the chart, and follows its spec', async (t) => {
  const test = await start(t)
  await create(test, { text: 'one', more: ['a'] })
  await test.settled()
  const made = await find(test, configMaps)
  t.match(made, {
    data: { text: 'one' },
    metadata: {
      labels: { 'app.kubernetes.io/managed-by': 'Helm' },
      annotations: { 'meta.helm.sh/release-name': 'hello', 'meta.helm.sh/release-namespace': 'default' },
      ownerReferences: [{ kind: 'Greeting', name: 'hello', controller: true }],
    },
  })
  t.strictSame(await history(test), ['1 deployed'])
  t.match(await statusOf(test), {
    deployedRelease: { name: 'hello', revision: 1, chart: 'greeter-1.0.0', appVersion: '2.0', resources: 2 },
  })
  t.match(await conditionOf(test, 'Deployed'), { status: 'True', reason: 'InstallSuccessful' })

  await edit(test, { spec: { text: 'two', more: ['b'] } })
  await test.settled()
  t.match(await find(test, configMaps), { data: { text: 'two' } })
  t.ok(await find(test, configMaps, 'hello-b'))
  t.notOk(await find(test, configMaps, 'hello-a'), 'it left the chart')
  t.strictSame(await history(test), ['1 superseded', '2 deployed'])
  t.match(await conditionOf(test, 'Deployed'), { reason: 'UpgradeSuccessful' })

  await test.client.delete(greetings, key)
  await test.settled()
  t.strictSame(
    [await find(test, configMaps), await find(test, configMaps, 'hello-b')],
    [undefined, undefined],
  )
  t.strictSame((await test.client.list(secrets, { namespace: 'default' })).items, [], 'no record is left')
  t.equal(await find(test, greetings), undefined)
})

void t.test('a run with nothing to do writes nothing', async (t) => {
  const writes: string[] = []
  const test = await testOperator(register(), {
    definitions: [definition],
    wrap: (transport) => ({
      ...transport,
      request: (call) => {
        if (call.method !== 'GET') writes.push(`${call.method} ${call.path}`)
        return transport.request(call)
      },
      stream: transport.stream.bind(transport),
      close: () => transport.close(),
    }),
  })
  t.teardown(() => test.stop())
  await create(test, { text: 'one' })
  await test.settled()
  t.ok(writes.length > 3)
  writes.length = 0
  await edit(test, { metadata: { labels: { any: 'thing' } } })
  await test.settled()
  t.strictSame(writes, [])
})

void t.test('an object that was changed or deleted is put right; the fields of others stay', async (t) => {
  const test = await start(t)
  await create(test, { text: 'one' })
  await test.settled()
  await test.client.patch(configMaps, key, { type: 'merge', body: { data: { text: 'no', other: 'mine' } } })
  await test.settled()
  t.match(await find(test, configMaps), { data: { text: 'one', other: 'mine' } })
  await test.client.delete(configMaps, key)
  await test.settled()
  t.match(await find(test, configMaps), { data: { text: 'one' } })
  t.strictSame(await history(test), ['1 deployed'], 'drift is not a new revision')
})

void t.test('later values win: chart, translated spec, mapped values, overrides', async (t) => {
  const data: JsonObject[] = []
  const recording = functionChart(
    { name: 'values', version: '1.0.0', values: { a: 'chart', b: 'chart', c: 'chart', d: 'chart' } },
    (values, { name }) => {
      data.push(values)
      return [configMap(name, {})]
    },
  )
  const test = await start(t, {
    chart: recording,
    translateValues: ({ size }) => ({ b: size, c: 'translated', d: 'translated' }),
    mapValues: (values) => ({ ...values, c: 'mapped', d: 'mapped' }),
    overrides: [{ key: 'd', path: ['d'], value: 'override' }],
  })
  await create(test, { size: 'spec' })
  await test.settled()
  t.strictSame(data.at(-1), { a: 'chart', b: 'spec', c: 'mapped', d: 'override' })
  const [stored] = await new ReleaseStore(test.client, Date.now).revisions('default', 'hello')
  t.strictSame(stored?.release.config, { b: 'spec', c: 'mapped', d: 'override' }, 'without the defaults')
})

void t.test('a foreign object in the way is left alone, and nothing is written', async (t) => {
  const test = await start(t)
  await test.client.create(configMaps, {
    metadata: { namespace: 'default', name: 'hello-a' },
    data: { own: 'yes' },
  })
  await create(test, { more: ['a'] })
  await test.settled()
  t.match(await conditionOf(test, 'Irreconcilable'), {
    status: 'True',
    reason: 'NotOurs',
    message: /ConfigMap default\/hello-a exist/,
  })
  t.strictSame(await history(test), [])
  t.equal(await find(test, configMaps), undefined)
})

void t.test('a release that belongs to another object is not touched', async (t) => {
  const test = await start(t)
  await create(test, { text: 'one' })
  await test.settled()
  const store = new ReleaseStore(test.client, Date.now)
  const [revision] = await store.revisions('default', 'hello')
  if (revision) await store.update({ ...revision, owner: 'somebody', ownerReferences: [] })
  await edit(test, { spec: { text: 'two' } })
  await test.settled()
  t.match(await conditionOf(test, 'Irreconcilable'), { reason: 'ReleaseNameTaken', message: /UID somebody/ })
  await test.client.delete(greetings, key)
  await test.settled()
  t.strictSame(await history(test), ['1 deployed'], 'its records stay')
})

void t.test('hooks run before and after the objects; a failing one stops the release', async (t) => {
  const test = await start(t)
  await create(test, { text: 'one', hook: 'pre-install,pre-delete' })
  await until(async () => (await find(test, pods, 'hello-hook')) !== undefined)
  t.equal(await find(test, configMaps), undefined, 'the objects wait for the hook')
  t.strictSame(await history(test), ['1 pending-install'])
  await setPhase(test, 'Failed')
  await until(async () => (await conditionOf(test, 'ReleaseFailed'))?.status === 'True')
  t.match(await conditionOf(test, 'ReleaseFailed'), {
    reason: 'InstallError',
    message: /the hook Pod .* failed/,
  })
  const failed = (await find(test, pods, 'hello-hook'))?.metadata.uid
  await until(async () => ![failed, undefined].includes((await find(test, pods, 'hello-hook'))?.metadata.uid))
  await setPhase(test, 'Succeeded')
  await until(async () => (await history(test)).join() === '1 deployed')
  t.match(await find(test, configMaps), { data: { text: 'one' } })

  await test.client.delete(greetings, key)
  await until(async () => (await history(test)).join() === '1 uninstalling')
  const old = (await find(test, pods, 'hello-hook'))?.metadata.uid
  await until(async () => ![old, undefined].includes((await find(test, pods, 'hello-hook'))?.metadata.uid))
  t.ok(await find(test, configMaps), 'the objects wait for the hook')
  await setPhase(test, 'Succeeded')
  await until(async () => (await find(test, greetings)) === undefined)
  t.strictSame(await history(test), [])
})

const setPhase = ({ client }: TestOperator, phase: string) =>
  client.patch(
    pods,
    { namespace: 'default', name: 'hello-hook' },
    { type: 'merge', subresource: 'status', body: { status: { phase } } },
  )

async function until(isDone: () => Promise<boolean>): Promise<void> {
  while (!(await isDone())) await new Promise((resolve) => setTimeout(resolve, 20))
}

void t.test('annotations set the options of one release, and a bad one is reported', async (t) => {
  const test = await start(t)
  const prefix = 'helm.sdk.operatorframework.io'
  await create(
    test,
    {},
    { [`${prefix}/install-description`]: 'by me', [`${prefix}/upgrade-force`]: 'perhaps' },
  )
  await test.settled()
  const [revision] = await new ReleaseStore(test.client, Date.now).revisions('default', 'hello')
  t.equal(revision?.release.info.description, 'by me')
  const { items } = await test.client.list(events, { namespace: 'default' })
  const reported = items.find(({ reason }) => reason === 'BadAnnotation')
  t.match(reported?.message, `${prefix}/upgrade-force`)
})

void t.test('objects that the policy does not allow are refused before anything is written', async (t) => {
  const text = 'another namespace'
  const placedByUser = functionChart({ name: 'greeter', version: '1.0.0' }, ({ namespace }) => [
    configMap('good', { text }),
    {
      ...configMap('bad', { text }),
      metadata: { name: 'bad', ...(namespace ? { namespace: String(namespace) } : {}) },
    },
  ])
  const test = await start(t, { chart: placedByUser, allow: {} })
  await create(test, { namespace: 'kube-system' })
  await test.settled()
  t.match(await conditionOf(test, 'Irreconcilable'), {
    status: 'True',
    reason: 'NotAllowed',
    message: /ConfigMap kube-system\/bad is in another namespace/,
  })
  t.notOk(await find(test, configMaps, 'good'))
  t.strictSame(await history(test), [])
  await edit(test, { spec: { namespace: null } })
  await test.settled()
  t.ok(await find(test, configMaps, 'good'))
  t.ok(await find(test, configMaps, 'bad'))
  t.not((await conditionOf(test, 'Irreconcilable'))?.status, 'True')
})

void t.test('a policy that became stricter ends the repair of objects', async (t) => {
  const before = await start(t)
  await create(before)
  await before.settled()
  await before.stop()
  const strict = register({ allow: { kinds: ['Secret'] } })
  const test = await testOperator(strict, { servers: { main: before.server } })
  t.teardown(() => test.stop())
  const body = { data: { text: 'edited' } }
  await test.client.patch(configMaps, key, { type: 'merge', body })
  await test.settled()
  t.match(await conditionOf(test, 'Irreconcilable'), { reason: 'NotAllowed' })
  t.match(await find(test, configMaps), body)
})

void t.test('hooks count for the policy', async (t) => {
  const test = await start(t, { allow: { kinds: ['ConfigMap'] } })
  await create(test, { hook: 'pre-install' })
  await test.settled()
  t.match(await conditionOf(test, 'Irreconcilable'), {
    reason: 'NotAllowed',
    message: /Pod default\/hello-hook/,
  })
  t.notOk(await find(test, configMaps))
})

void t.test('old revisions are pruned', async (t) => {
  const test = await start(t, { maxHistory: 2 })
  await create(test, { text: '0' })
  for (const text of ['1', '2', '3']) {
    await test.settled()
    await edit(test, { spec: { text } })
  }
  await test.settled()
  t.strictSame(await history(test), ['3 superseded', '4 deployed'])
})

void t.test('options that are not there yet, or wrong, are refused', async (t) => {
  const refused = (options: object, message: RegExp) =>
    t.throws(() => helmReconciler({ resource: kind, chart, ...options }), {
      code: 'INVALID_REGISTRATION',
      message,
    })
  refused({ target: 'host' }, /target "host"/)
  refused({ wait: 'ready' }, /wait: ready/)
  refused({ onFailure: 'rollback' }, /onFailure: rollback/)
  refused({ reconcilePeriodMs: -1 }, /reconcilePeriodMs -1/)
  refused({ maxConcurrentReconciles: 0.5 }, /maxConcurrentReconciles 0.5/)
  refused({ resource: { ...kind, namespaced: false } }, /set targetNamespace/)
})
