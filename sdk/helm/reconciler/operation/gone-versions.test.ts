// Tests that objects are found and deleted which a record has in a version that the cluster no longer serves.
import t, { type Test } from 'tap'
import type { Client } from '../../../engine/client/client.js'
import { isNotFound } from '../../../engine/kube/error.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { Resource } from '../../../engine/kube/resource.js'
import { functionChart } from '../../chart/function-chart.js'
import { ReleaseStore } from '../../release/release-store.js'
import { configMap, greetings } from '../greetings.fixture.js'
import { create, edit, find, start } from '../reconciled.fixture.js'

const scalers: Resource = {
  group: 'autoscaling',
  version: 'v2',
  kind: 'HorizontalPodAutoscaler',
  plural: 'horizontalpodautoscalers',
  namespaced: true,
}
const budgets: Resource = {
  group: 'policy',
  version: 'v1',
  kind: 'PodDisruptionBudget',
  plural: 'poddisruptionbudgets',
  namespaced: true,
}
const scaler = (name: string) =>
  ({
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name },
    spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name }, maxReplicas: 2 },
  }) as KubeObject
const budget = (name: string) =>
  ({
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name },
    spec: { maxUnavailable: 1 },
  }) as KubeObject

/** A chart with a ConfigMap, an autoscaler unless `scaled` is false, and a budget unless `safe` is false. */
const chart = functionChart({ name: 'web', version: '1.0.0' }, ({ scaled, safe }, { name }) => [
  configMap(name, {}),
  ...(scaled === false ? [] : [scaler(name)]),
  ...(safe === false ? [] : [budget(name)]),
])

/** The namespace of the release: its objects cannot refer to the custom resource, which is in another one. */
const namespace = 'apps'
const options = { chart, targetNamespace: namespace, createNamespace: true }
const key = { namespace, name: 'hello' }
const uidOf = ({ client }: { client: Client }, resource: Resource) =>
  client.get(resource, key).then(
    ({ metadata }) => metadata.uid,
    (error: unknown) => {
      if (!isNotFound(error)) throw error
      return undefined
    },
  )
const recordsOf = ({ client }: { client: Client }) =>
  new ReleaseStore(client, Date.now).revisions(namespace, 'hello')

/** A release whose record has its objects in these versions; its operator is stopped. */
async function releaseIn(t: Test, versions: Readonly<Record<string, string>>) {
  const first = await start(t, options)
  await create(first)
  await first.settled()
  await first.stop()
  const [revision] = await recordsOf(first)
  if (!revision) throw new Error('there is no release')
  let { manifest } = revision.release
  for (const [served, gone] of Object.entries(versions)) {
    t.ok(manifest.includes(served))
    manifest = manifest.replaceAll(served, gone)
  }
  const store = new ReleaseStore(first.client, Date.now)
  await store.update({ ...revision, release: { ...revision.release, manifest } })
  return first
}

const gone = { 'autoscaling/v2': 'autoscaling/v2beta2', 'policy/v1': 'policy/v1beta1' }
const startNext = (t: Test, { server }: Awaited<ReturnType<typeof releaseIn>>) =>
  start(t, options, { servers: { main: server } })
const remove = ({ client }: { client: Client }) =>
  client.delete(greetings, { namespace: 'default', name: 'hello' })

void t.test(
  'an uninstallation deletes objects whose version is gone, in the version that is served',
  async (t) => {
    const first = await releaseIn(t, gone)
    await remove(first)
    const test = await startNext(t, first)
    await test.settled()
    t.equal(await find(test, greetings), undefined)
    t.strictSame([await uidOf(test, scalers), await uidOf(test, budgets)], [undefined, undefined])
    t.strictSame(await recordsOf(test), [])
  },
)

void t.test(
  'an upgrade deletes those that left the chart, and keeps those that it has in a new version',
  async (t) => {
    const first = await releaseIn(t, gone)
    const before = await uidOf(first, scalers)
    await edit(first, { spec: { safe: false } })
    const test = await startNext(t, first)
    await test.settled()
    t.equal((await recordsOf(test)).at(-1)?.release.version, 2)
    t.equal(await uidOf(test, budgets), undefined)
    t.equal(await uidOf(test, scalers), before)
  },
)

void t.test('objects of other releases stay, whatever a record says', async (t) => {
  const first = await releaseIn(t, gone)
  const metadata = { annotations: { 'meta.helm.sh/release-name': 'other' } }
  await first.client.patch(scalers, key, { type: 'merge', body: { metadata } })
  await remove(first)
  const test = await startNext(t, first)
  await test.settled()
  t.ok(await uidOf(test, scalers))
  t.equal(await uidOf(test, budgets), undefined)
})

void t.test('a kind that no version of its group has any more has no objects', async (t) => {
  const first = await releaseIn(t, { HorizontalPodAutoscaler: 'Gone', 'policy/v1': 'gone.example.com/v1' })
  await remove(first)
  const test = await startNext(t, first)
  await test.settled()
  t.equal(await find(test, greetings), undefined)
  t.ok(await uidOf(test, scalers))
  t.ok(await uidOf(test, budgets), 'another group is another kind')
})
