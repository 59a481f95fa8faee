// Tests the life of a Module with a Helm release: installed, asleep, awake, uninstalled.
import t from 'tap'
import {
  configMaps,
  deployments,
  namespaces,
  persistentVolumeClaims,
  secrets,
} from '../../engine/kube/builtin.js'
import {
  cronJobs,
  horizontalPodAutoscalers,
  replicaSets,
  statefulSets,
} from '../../engine/kube/builtin-workloads.js'
import { ReleaseStore } from '../../helm/release/release-store.js'
import { modules } from '../kinds/module-kind.js'
import { moduleLabel } from '../manager/client-cluster.js'
import { shop, startTimed } from '../module/modules.fixture.js'
import { createChart, find, helm, helmModule, historyOf, workloadsOf } from './helm.fixture.js'

const awake = { deployment: 3, set: 2, suspended: false, autoscaler: 1 }
const asleep = { deployment: 0, set: 0, suspended: true, autoscaler: 1 }

void t.test('a release is installed, sleeps, wakes with what it had, and is uninstalled', async (t) => {
  const test = await startTimed(t, { modules: { helm } })
  const { client } = test
  await createChart(client)
  await client.create(modules, helmModule({ values: [{ raw: { text: 'one' } }] }))
  await test.pass(2_000)
  const module = await test.live()
  t.match(module.status, {
    phase: 'ready',
    source: 'Helm/Managed',
    program: { name: 'web', version: '1.2.0' },
  })
  t.strictSame(await historyOf(client), ['1 deployed'])
  t.match(await find(client, configMaps), {
    data: { text: 'one' },
    metadata: { labels: { [moduleLabel]: module.metadata.uid, 'app.kubernetes.io/managed-by': 'Helm' } },
  })
  t.strictSame(await workloadsOf(client), awake)

  await test.change({ hibernated: true })
  await test.pass(2_000)
  t.match((await test.live()).status, { phase: 'sleeped', program: { name: 'web' } })
  t.strictSame(await workloadsOf(client), asleep)

  await test.change({ hibernated: false })
  await test.pass(2_000)
  t.equal((await test.live()).status?.phase, 'ready')
  t.strictSame(await workloadsOf(client), awake)
  t.strictSame(
    (await find(client, deployments))?.metadata.annotations?.['forkspacer.com/replicas'],
    undefined,
  )
  t.strictSame(await historyOf(client), ['1 deployed'])

  await client.delete(modules, shop)
  await test.pass(2_000)
  await t.rejects(test.live(), { code: 404 })
  t.strictSame(await historyOf(client), [])
  for (const resource of [configMaps, deployments, statefulSets, cronJobs, horizontalPodAutoscalers])
    t.equal(await find(client, resource as typeof configMaps), undefined, resource.kind)
})

void t.test('a ReplicaSet that another controller than a Deployment owns is left to it', async (t) => {
  const test = await startTimed(t, { modules: { helm } })
  const { client } = test
  await createChart(client)
  await client.create(modules, helmModule({ values: [{ raw: { replicaSets: ['adopted'] } }] }))
  await test.pass(2_000)
  const rollout = { apiVersion: 'argoproj.io/v1alpha1', kind: 'Rollout', name: 'web', uid: 'uid-of-web' }
  const body = { metadata: { ownerReferences: [{ ...rollout, controller: true }] } }
  const { metadata } = await client.patch(
    replicaSets,
    { namespace: 'default', name: 'adopted' },
    { type: 'merge', body },
  )
  await test.change({ hibernated: true })
  await test.pass(2_000)
  t.match((await test.live()).status, { phase: 'sleeped' })
  const now = await find(client, replicaSets, 'adopted')
  t.equal(now?.metadata.resourceVersion, metadata.resourceVersion, 'it is not written')
  t.equal(now?.spec?.replicas, 2)
})

void t.test('a ReplicaSet that a Deployment owns is left to it, and one of its own sleeps', async (t) => {
  const test = await startTimed(t, { modules: { helm } })
  const { client } = test
  await createChart(client)
  await client.create(modules, helmModule({ values: [{ raw: { replicaSets: ['adopted', 'alone'] } }] }))
  await test.pass(2_000)
  // A Deployment adopts each ReplicaSet that its selector matches, also one of the chart.
  const ownerReferences = ownedBy(await find(client, deployments))
  const body = { metadata: { ownerReferences } }
  const adopted = { namespace: 'default', name: 'adopted' }
  const { metadata: before } = await client.patch(replicaSets, adopted, { type: 'merge', body })
  for (const [hibernated, replicas] of [
    [true, 0],
    [false, 2],
  ] as const) {
    await test.change({ hibernated })
    await test.pass(2_000)
    t.equal((await find(client, replicaSets, 'alone'))?.spec?.replicas, replicas)
    const now = await find(client, replicaSets, 'adopted')
    t.equal(now?.metadata.resourceVersion, before.resourceVersion, 'it is not written')
    t.equal(now?.spec?.replicas, 2)
  }
  t.strictSame(await workloadsOf(client), awake)
})

void t.test(
  'a StatefulSet whose volumes would go keeps its release awake, unless keepVolumes is set',
  async (t) => {
    const whenScaled = async (test: Awaited<ReturnType<typeof startTimed>>) => {
      await createChart(test.client)
      await test.client.create(modules, helmModule())
      await test.pass(2_000)
      const body = { spec: { persistentVolumeClaimRetentionPolicy: { whenScaled: 'Delete' } } }
      await test.client.patch(statefulSets, { namespace: 'default', name: 'web' }, { type: 'merge', body })
      await test.change({ hibernated: true })
      await test.pass(2_000)
      return test
    }
    const refused = await whenScaled(await startTimed(t, { modules: { helm } }))
    t.match((await refused.live()).status, {
      phase: 'failed',
      message: /StatefulSet default\/web is not put to sleep: .*whenScaled is Delete/,
    })
    t.strictSame(await workloadsOf(refused.client), awake, 'nothing sleeps')

    const kept = await whenScaled(await startTimed(t, { modules: { helm, keepVolumes: true } }))
    t.equal((await kept.live()).status?.phase, 'sleeped')
    const policy = async () =>
      (await find(kept.client, statefulSets))?.spec?.persistentVolumeClaimRetentionPolicy?.whenScaled
    t.equal(await policy(), 'Retain')
    await kept.change({ hibernated: false })
    await kept.pass(2_000)
    t.strictSame(await workloadsOf(kept.client), awake)
    t.equal(await policy(), 'Delete')
    t.strictSame(
      (await find(kept.client, statefulSets))?.metadata.annotations?.['forkspacer.com/when-scaled'],
      undefined,
    )
  },
)

void t.test('an autoscaler rests while its Deployment has no replicas, and is never written', async (t) => {
  const test = await startTimed(t, { modules: { helm } })
  const { client } = test
  await createChart(client)
  await client.create(modules, helmModule())
  await test.pass(2_000)
  const before = await find(client, horizontalPodAutoscalers)
  t.match(before?.spec?.scaleTargetRef, { kind: 'Deployment', name: 'web' })
  await test.change({ hibernated: true })
  await test.pass(2_000)
  // Kubernetes does not scale a target with `replicas: 0`, whatever the autoscaler says.
  t.equal((await find(client, deployments))?.spec?.replicas, 0)
  t.strictSame(await find(client, horizontalPodAutoscalers), before)
  await test.change({ hibernated: false })
  await test.pass(2_000)
  t.equal((await find(client, deployments))?.spec?.replicas, 3)
  t.strictSame(await find(client, horizontalPodAutoscalers), before)
})

void t.test('a Deployment that is deleted during the sleep does not stop the wake', async (t) => {
  const test = await startTimed(t, { modules: { helm } })
  const { client } = test
  await createChart(client)
  await client.create(modules, helmModule())
  await test.pass(2_000)
  const merge = { type: 'merge', body: { spec: { suspend: true } } } as const
  await client.patch(cronJobs, { namespace: 'default', name: 'web' }, merge)
  await test.change({ hibernated: true })
  await test.pass(2_000)
  await client.delete(deployments, { namespace: 'default', name: 'web' })
  await test.change({ hibernated: false })
  await test.pass(2_000)
  t.equal((await test.live()).status?.phase, 'ready')
  t.match(await workloadsOf(client), { deployment: undefined, set: 2 })
  t.equal((await find(client, cronJobs))?.spec?.suspend, true, 'it was suspended before')
})

void t.test('workloads that others have scaled or are deleting are left as they are', async (t) => {
  const test = await startTimed(t, { modules: { helm } })
  const { client } = test
  await createChart(client)
  await client.create(modules, helmModule({ values: [{ raw: { replicaSets: ['mentioned'] } }] }))
  await test.pass(2_000)
  const at = (name: string) => ({ namespace: 'default', name })
  const scale = (replicas: number) =>
    client.patch(deployments, at('web'), { type: 'merge', body: { spec: { replicas } } })
  const hibernate = async (hibernated: boolean) => {
    await test.change({ hibernated })
    await test.pass(2_000)
  }
  // An owner that does not control a ReplicaSet does not decide its replicas.
  const [{ controller: _, ...owner } = {} as never] = ownedBy(await find(client, deployments))
  const body = { metadata: { ownerReferences: [owner] } }
  await client.patch(replicaSets, at('mentioned'), { type: 'merge', body })
  // It goes when its finalizer is removed.
  const finalizers = ['example.com/slow']
  await client.patch(statefulSets, at('web'), { type: 'merge', body: { metadata: { finalizers } } })
  await client.delete(statefulSets, at('web'))
  const leaving = await find(client, statefulSets)
  await scale(0)
  const { metadata: stopped } = await client.get(deployments, at('web'))
  await hibernate(true)
  t.equal((await find(client, replicaSets, 'mentioned'))?.spec?.replicas, 0)
  t.equal((await find(client, statefulSets))?.metadata.resourceVersion, leaving?.metadata.resourceVersion)
  const asleep = await client.get(deployments, at('web'))
  t.equal(asleep.metadata.resourceVersion, stopped.resourceVersion, 'it had no replicas before')
  await hibernate(false)
  t.equal((await client.get(deployments, at('web'))).metadata.resourceVersion, stopped.resourceVersion)
  t.equal((await find(client, replicaSets, 'mentioned'))?.spec?.replicas, 2)
  t.equal((await find(client, statefulSets))?.metadata.resourceVersion, leaving?.metadata.resourceVersion)

  await scale(3)
  await hibernate(true)
  t.equal((await client.get(deployments, at('web'))).spec?.replicas, 0)
  await scale(5)
  await hibernate(false)
  const { spec, metadata } = await client.get(deployments, at('web'))
  t.equal(spec?.replicas, 5, 'somebody woke it with other replicas')
  t.notOk(metadata.annotations?.['forkspacer.com/replicas'], 'and its note is gone')
})

void t.test('workloads and releases that belong to somebody else by now are left alone', async (t) => {
  const test = await startTimed(t, { modules: { helm } })
  const { client } = test
  await createChart(client)
  await client.create(modules, helmModule())
  await test.pass(2_000)
  const annotations = { 'meta.helm.sh/release-name': 'other' }
  const key = { namespace: 'default', name: 'web' }
  await client.patch(statefulSets, key, { type: 'merge', body: { metadata: { annotations } } })
  await test.change({ hibernated: true })
  await test.pass(2_000)
  t.match(await workloadsOf(client), { deployment: 0, set: 2 })
  await test.change({ hibernated: false })
  await test.pass(2_000)
  const store = new ReleaseStore(client, Date.now)
  for (const revision of await store.revisions('default', 'web'))
    await store.update({ ...revision, owner: undefined, ownerReferences: [] })
  await test.change({ hibernated: true })
  await test.pass(2_000)
  t.match(await workloadsOf(client), awake)
  await client.delete(modules, shop)
  await test.pass(2_000)
  await t.rejects(test.live(), { code: 404 })
  t.strictSame(await historyOf(client), ['1 deployed'])
})

void t.test('outputs of Secrets are in a Secret of the Module, and others in its metadata', async (t) => {
  const test = await startTimed(t, { modules: { helm } })
  const { client } = test
  await createChart(client)
  const password = { secret: { name: '{{ .releaseName }}', key: 'password' } }
  const outputs = [
    { name: 'host', value: '{{ .releaseName }}.{{ .namespace }}' },
    { name: 'the password', valueFrom: password },
  ]
  await client.create(modules, helmModule({ outputs }))
  await test.pass(2_000)
  const { metadata } = await test.live()
  const text = metadata.annotations?.['forkspacer.com/manager-data'] ?? ''
  t.match(JSON.parse(text), { installOutputs: { host: 'web.default' } })
  t.notMatch(JSON.stringify(metadata), /c2VjcmV0|"secret"/)
  const secret = await find(client, secrets, 'shop-outputs')
  t.equal(Buffer.from(secret?.data?.['the-password'] ?? '', 'base64').toString(), 'secret')
  t.equal(secret?.metadata.ownerReferences?.[0]?.uid, metadata.uid)
})

void t.test('a Secret that does not belong to the release is refused as an output', async (t) => {
  const test = await startTimed(t, { modules: { helm } })
  const { client } = test
  await createChart(client)
  await client.create(secrets, { metadata: { namespace: 'default', name: 'foreign' }, data: { key: 'eA==' } })
  const outputs = [{ name: 'stolen', valueFrom: { secret: { name: 'foreign', key: 'key' } } }]
  await client.create(modules, helmModule({ outputs }))
  await test.pass(60_000)
  t.match((await test.live()).status, {
    phase: 'failed',
    message: /the output stolen: Secret default\/foreign does not belong to the release web/,
  })
  t.equal(await find(client, secrets, 'shop-outputs'), undefined)
})

void t.test('cleanup deletes the volume claims of the StatefulSets, and no others', async (t) => {
  const test = await startTimed(t, { modules: { helm } })
  const { client } = test
  await createChart(client)
  await client.create(modules, helmModule({ cleanup: { removePVCs: true } }))
  await test.pass(2_000)
  const claim = (name: string, labels = {}) => ({
    metadata: { namespace: 'default', name, labels },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  })
  for (const name of ['data-web-0', 'data-web-1', 'data-web-x', 'data-webs-0'])
    await client.create(persistentVolumeClaims, claim(name, { app: 'web' }))
  await client.create(persistentVolumeClaims, claim('data-web-7'))
  await client.delete(modules, shop)
  await test.pass(2_000)
  await t.rejects(test.live(), { code: 404 })
  const { items } = await client.list(persistentVolumeClaims, { namespace: 'default' })
  const left = items.filter((one) => !one.metadata.deletionTimestamp).map((one) => one.metadata.name)
  t.strictSame(left, ['data-web-7', 'data-web-x', 'data-webs-0'])
})

void t.test('cleanup deletes the namespace only if the Module has made it', async (t) => {
  const test = await startTimed(t, { modules: { helm: { ...helm, releases: 'all-namespaces' } } })
  const { client } = test
  await createChart(client)
  await client.create(namespaces, { metadata: { name: 'web-theirs' } })
  const spec = { namespace: 'web-{{ .config.place }}', cleanup: { removeNamespace: true } }
  const ends = async (place: string) => {
    await client.create(modules, helmModule(spec, { config: { place } }))
    await test.pass(2_000)
    t.match((await test.live()).status, { phase: 'ready' })
    await client.delete(modules, shop)
    await test.pass(2_000)
    await t.rejects(test.live(), { code: 404 })
    const found = await client.get(namespaces, { namespace: '', name: `web-${place}` }).catch(() => undefined)
    return found === undefined || found.metadata.deletionTimestamp !== undefined
  }
  t.equal(await ends('ours'), true)
  t.equal(await ends('theirs'), false)
})

function ownedBy(object: { metadata: { name?: string; uid?: string } } | undefined) {
  const { name = '', uid = '' } = object?.metadata ?? {}
  return [{ apiVersion: 'apps/v1', kind: 'Deployment', name, uid, controller: true }]
}
