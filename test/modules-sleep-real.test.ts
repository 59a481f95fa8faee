// The sleep of workloads of every kind with the real kube-controller-manager.
import t from 'tap'
import { deployments, nodes, persistentVolumeClaims, pods } from '../sdk/engine/kube/builtin.js'
import { daemonSets, statefulSets } from '../sdk/engine/kube/builtin-workloads.js'
import type { KubeObject } from '../sdk/engine/kube/object.js'
import { modules } from '../sdk/modules/kinds/module-kind.js'
import {
  createWorkspace,
  definitions,
  moduleOf,
  NotingProgram,
  registering,
  shop,
} from '../sdk/modules/module/modules.fixture.js'
import { openControlPlane } from './real/open-control-plane.js'
import { missingAssets } from './real/real-cluster.js'
import { until } from './until.js'

const skip = missingAssets('kube-controller-manager')
const of = (name: string) => ({ namespace: 'default', name })
const template = (name: string) => ({
  metadata: { labels: { app: name } },
  spec: { containers: [{ name: 'web', image: 'nginx' }] },
})
const selecting = (name: string) => ({ selector: { matchLabels: { app: name } }, template: template(name) })
const named = (kind: string, name: string) => ({ apiVersion: 'apps/v1', kind, metadata: { name } })
const set = (name: string) => ({
  ...named('StatefulSet', name),
  spec: {
    replicas: 2,
    serviceName: name,
    podManagementPolicy: 'Parallel',
    ...selecting(name),
    persistentVolumeClaimRetentionPolicy: { whenScaled: 'Delete', whenDeleted: 'Retain' },
    volumeClaimTemplates: [
      {
        metadata: { name: 'data' },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      },
    ],
  },
})
const workloads: KubeObject[] = [
  set('db'),
  { ...named('DaemonSet', 'agent'), spec: selecting('agent') } as KubeObject,
  { ...named('Deployment', 'web'), spec: { replicas: 2, ...selecting('web') } } as KubeObject,
]
const references = workloads.map(({ apiVersion = '', kind = '', metadata: { name = '' } }) => ({
  apiVersion,
  kind,
  metadata: { name },
}))

void t.test('workloads sleep, keep their volumes and wake', { skip, timeout: 600_000 }, async (t) => {
  const { client, startOperator } = await openControlPlane(t, definitions)
  await client.create(nodes, { metadata: { name: 'worker' } })
  const claims = async (name: string) =>
    (await client.list(persistentVolumeClaims, { namespace: 'default' })).items
      .filter(({ metadata }) => !metadata.deletionTimestamp && metadata.name?.startsWith(`data-${name}-`))
      .map(({ metadata }) => metadata.uid)
      .sort()
  const podsOf = async (name: string) =>
    (await client.list(pods, { namespace: 'default', labelSelector: `app=${name}` })).items.length
  const hasPods = (counts: Record<string, number>) =>
    until(async () => {
      for (const [name, count] of Object.entries(counts)) if ((await podsOf(name)) !== count) return false
      return true
    })

  await t.test('the policy Delete deletes the volumes of a StatefulSet that is scaled to 0', async (t) => {
    await client.create(statefulSets, { ...set('lost'), metadata: of('lost') } as never)
    await until(async () => (await claims('lost')).length === 2)
    await hasPods({ lost: 2 })
    await client.patch(statefulSets, of('lost'), { type: 'merge', body: { spec: { replicas: 0 } } })
    await until(async () => (await claims('lost')).length === 0)
    t.pass('both claims are gone')
  })

  await t.test('a Module with keepVolumes keeps them', async (t) => {
    const noting = new NotingProgram()
    noting.behaviour = {
      install: ({ cluster }) => cluster.apply(workloads),
      uninstall: ({ cluster }) => cluster.delete(references),
      sleep: ({ cluster }) => cluster.scaleDown(references),
      resume: ({ cluster }) => cluster.scaleUp(references),
    }
    await startOperator({ name: 'modules', register: registering(noting, { keepVolumes: true }) })
    const hibernate = async (hibernated: boolean, phase: string) => {
      await client.patch(modules, shop, { type: 'merge', body: { spec: { hibernated } } })
      await until(async () => (await client.get(modules, shop)).status?.phase === phase)
    }
    await createWorkspace(client)
    await client.create(modules, moduleOf())
    await hasPods({ db: 2, agent: 1, web: 2 })
    const before = await claims('db')
    t.equal(before.length, 2)
    const templateBefore = (await client.get(daemonSets, of('agent'))).spec?.template

    for (const _ of ['once', 'twice']) {
      await hibernate(true, 'sleeped')
      await hasPods({ db: 0, agent: 0, web: 0 })
      t.equal((await client.get(daemonSets, of('agent'))).status?.desiredNumberScheduled, 0)
      t.strictSame(await claims('db'), before, 'the same volumes')
      await hibernate(false, 'ready')
      await hasPods({ db: 2, agent: 1, web: 2 })
      t.strictSame(await claims('db'), before, 'the same volumes after the wake')
      const { spec } = await client.get(statefulSets, of('db'))
      t.equal(spec?.persistentVolumeClaimRetentionPolicy?.whenScaled, 'Delete')
      t.strictSame((await client.get(daemonSets, of('agent'))).spec?.template, templateBefore)
      t.equal((await client.get(deployments, of('web'))).spec?.replicas, 2)
    }
  })
})
