// Tests that an edited record has no effect outside of the namespace of its release, and that others are carried out.
import t, { type Test } from 'tap'
import type { TestOperator } from '../../../../testing/index.js'
import { configMaps, namespaces } from '../../../engine/kube/builtin.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { Resource } from '../../../engine/kube/resource.js'
import { annotationNames, defaultAnnotations } from '../../annotations/annotation-reader.js'
import { functionChart } from '../../chart/function-chart.js'
import { byNumber } from '../../release/history.js'
import type { Release } from '../../release/release.js'
import { ReleaseStore } from '../../release/release-store.js'
import { configMap, greetings, key } from '../greetings.fixture.js'
import type { HelmControllerOptions } from '../options/options.js'
import { conditionOf, create, edit, find, history, start, until } from '../reconciled.fixture.js'

const clusterRoles: Resource<KubeObject & { rules?: unknown[] }> = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'ClusterRole',
  plural: 'clusterroles',
  namespaced: false,
}
const roleRules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }]

/** Whether the chart can be rendered. */
const rendering = { works: true }

/** A ConfigMap, a ClusterRole with the version of the chart, and a hook in another namespace. */
const chartOf = (version: string) =>
  functionChart({ name: 'wide', version }, ({ text = 'a', immutable }, { name }) => {
    if (!rendering.works) throw new Error('the chart is broken')
    const hook = configMap('farewell', { text: 'bye' }, { 'helm.sh/hook': 'pre-delete' })
    const metadata = { name: 'reader', labels: { 'helm.sh/chart': `wide-${version}` } }
    return [
      { ...configMap(name, { text: String(text) }), ...(immutable ? { immutable } : {}) },
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRole',
        metadata,
        rules: roleRules,
      } as KubeObject,
      { ...hook, metadata: { ...hook.metadata, namespace: 'other' } },
    ]
  })

const annotations = { ...defaultAnnotations, rollbackTo: annotationNames.rollbackTo }

async function started(t: Test, options: Partial<HelmControllerOptions> = {}, before?: TestOperator) {
  rendering.works = true
  const servers = before && { servers: { main: before.server } }
  const test = await start(t, { chart: chartOf('1.0.0'), annotations, ...options }, servers)
  if (!before) await test.client.create(namespaces, { metadata: { name: 'other' } })
  return test
}

/** Changes a record, as a user who may write Secrets can. */
async function forge({ client }: TestOperator, version: number, change: (release: Release) => object) {
  const store = new ReleaseStore(client, Date.now)
  const records = byNumber(await store.revisions('default', 'hello'))
  const record = records.find(({ release }) => release.version === version)
  if (!record) throw new Error(`there is no revision ${version}`)
  await store.update({ ...record, release: { ...record.release, ...change(record.release) } })
}

const farewell = async ({ client }: TestOperator) => {
  const { items } = await client.list(configMaps, { namespace: 'other' })
  return items.find(({ metadata }) => metadata.name === 'farewell')?.data?.text
}
const rulesOf = async ({ client }: TestOperator) => {
  const { items } = await client.list(clusterRoles)
  return items.find(({ metadata }) => metadata.name === 'reader')?.rules
}
const hookWith = (text: string) => (release: Release) => ({
  hooks: release.hooks.map((hook) => ({ ...hook, manifest: hook.manifest.replace(/bye/, text) })),
})

void t.test('hooks of the chart in another namespace run, and objects without a namespace go', async (t) => {
  const test = await started(t)
  await create(test)
  await test.settled()
  t.strictSame(await rulesOf(test), roleRules)
  await test.client.delete(greetings, key)
  await test.settled()
  t.notOk(await find(test, greetings))
  t.strictSame([await farewell(test), await rulesOf(test)], ['bye', undefined])
})

void t.test('a hook of an edited record does not run in another namespace', async (t) => {
  const test = await started(t)
  await create(test)
  await test.settled()
  await forge(test, 1, hookWith('forged'))
  await test.client.delete(greetings, key)
  await test.settled()
  t.equal(await farewell(test), undefined)
  t.match(await conditionOf(test, 'Irreconcilable'), {
    reason: 'NotAllowed',
    message:
      /release hello is not carried out: ConfigMap other\/farewell is in another namespace, and its chart does not make/,
  })
  const disabled = { [annotationNames.uninstallDisableHooks ?? '']: 'true' }
  await edit(test, { metadata: { annotations: disabled } })
  await test.settled()
  t.notOk(await find(test, greetings), 'it goes without its hooks')
})

void t.test('a hook in another namespace waits until its chart can be rendered', async (t) => {
  const test = await started(t)
  await create(test)
  await test.settled()
  rendering.works = false
  await test.client.delete(greetings, key)
  await test.settled()
  t.equal(await farewell(test), undefined)
  t.match(await conditionOf(test, 'Irreconcilable'), {
    reason: 'NotAllowed',
    message: /its chart cannot be rendered now: .*the chart is broken/,
  })
  rendering.works = true
  await edit(test, { metadata: { labels: { any: 'change' } } })
  await test.settled()
  t.strictSame([await find(test, greetings), await farewell(test)], [undefined, 'bye'])
})

void t.test(
  'a rollback brings back what the chart makes in all places, and nothing else there',
  async (t) => {
    const first = await started(t)
    await create(first, { text: 'one' })
    await first.settled()
    await first.stop()
    const test = await started(t, { chart: chartOf('2.0.0') }, first)
    await edit(test, { spec: { text: 'two' } })
    await test.settled()
    t.strictSame(await history(test), ['1 superseded', '2 superseded', '3 deployed'])
    const rollBackTo = (to: number | null) =>
      edit(test, {
        metadata: { annotations: { [annotationNames.rollbackTo ?? '']: to === null ? null : String(to) } },
      })
    await rollBackTo(1)
    await test.settled()
    t.strictSame((await history(test)).at(-1), '4 deployed', 'another version of the chart does not matter')
    t.equal((await find(test, configMaps))?.data?.text, 'one')

    await rollBackTo(null)
    await test.settled()
    const otherRules = ({ manifest }: Release) => ({ manifest: manifest.replace('pods', 'secrets') })
    await forge(test, 1, otherRules)
    await rollBackTo(1)
    await test.settled()
    t.match(await conditionOf(test, 'Irreconcilable'), {
      reason: 'NotAllowed',
      message: /ClusterRole reader/,
    })
    t.strictSame(await rulesOf(test), roleRules)
  },
)

void t.test('a failed upgrade of a chart with a ClusterRole is rolled back', async (t) => {
  const test = await started(t)
  await create(test, { text: 'one', immutable: true })
  await test.settled()
  await edit(test, { spec: { text: 'two' } })
  await until(async () => (await history(test)).join() === '1 superseded,2 failed,3 deployed')
  await until(async () => (await conditionOf(test, 'ReleaseFailed'))?.reason === 'RolledBack')
  t.strictSame(await rulesOf(test), roleRules)
})

void t.test('an option that permits them lets records have such objects', async (t) => {
  const test = await started(t, { allow: { namespaces: ['other'], clusterScoped: true } })
  await create(test)
  await test.settled()
  await forge(test, 1, hookWith('changed'))
  await test.client.delete(greetings, key)
  await test.settled()
  t.strictSame([await find(test, greetings), await farewell(test)], [undefined, 'changed'])
})
