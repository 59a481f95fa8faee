// A managed Workspace with the chart of vcluster: its vcluster sleeps, wakes and goes, with Pods and data in
// it.
import { mkdtemp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Test } from 'tap'
import { runHelm } from '../../node/helm-program.js'
import { localVolumes } from '../../node/local-volumes.js'
import type { Loose, RealNode } from '../../node/real-node.js'
import { until } from '../../until.js'
import { withChartImages } from '../prepared.js'
import { eventually, type RealVCluster, vclusterOf } from '../real-vcluster.js'
import { configMap } from './tenant.js'

const inDefault = ['-n', 'default']
const patiently = { withinMs: 300_000 }

/** Creates a Workspace for the operator of test/node/releases, and looks at all of its life. */
export async function managedWorkspace(t: Test, node: RealNode): Promise<void> {
  await withChartImages(node)
  await localVolumes(node, { storageClass: 'workspaces', count: 2 })
  const beganMs = performance.now()
  await node.apply([workspace, module])
  await reaches(node, 'ready', 'ready')
  const seconds = Math.round((performance.now() - beganMs) / 1000)
  t.comment(`the vcluster and its Module are ready after ${seconds} s`)
  const { release, namespace } = (await node.get(...inDefault, 'workspace', 'review')).status.managed
  const files = await mkdtemp(join(node.folder, 'review-'))
  const vcluster = await vclusterOf(node, { name: release, namespace, files })

  await t.test('its users have Pods with volumes in it', async (t) => {
    await vcluster.apply(configMap('kept', 'by the vcluster'), counter)
    await until(async () => (await starts(vcluster)).length === 1, patiently)
    await until(async () => (await vcluster.get('deployment', 'shop')).status.readyReplicas === 1)
    t.equal((await podsOf(vcluster)).length, 4, 'the vcluster, its DNS, the Module and the Pod of the user')
  })
  await t.test('asleep: no Pod is left', async (t) => {
    await hibernate(node, true)
    await reaches(node, 'hibernated', 'sleeped')
    await until(async () => (await podsOf(vcluster)).length === 0)
    t.equal((await node.get(...inDefault, 'workspace', 'review')).status.vcluster, 'asleep')
  })
  await t.test('awake: the Pods come back, with the data of the vcluster and of volumes', async (t) => {
    await hibernate(node, false)
    await reaches(node, 'ready', 'ready')
    await until(async () => (await eventually(() => starts(vcluster))).length === 2, patiently)
    t.equal((await vcluster.get('configmap', 'kept')).data.text, 'by the vcluster')
    await until(async () => (await vcluster.get('deployment', 'shop')).status.readyReplicas === 1)
  })
  await t.test('deleted: its Module, its vcluster and claims go, retained volumes keep their data', (t) =>
    isDeleted(t, node, { namespace, release }),
  )
}

/** Deletes the Workspace: all of it goes, as docs/guides/modules-workspaces.md says. */
async function isDeleted(t: Test, node: RealNode, { namespace, release }: Managed): Promise<void> {
  const claimed = async (): Promise<Loose[]> =>
    (await node.get('pv')).items.filter(({ spec }: Loose) => spec.claimRef?.namespace === namespace)
  const volumes = await claimed()
  t.equal(volumes.length, 2, 'one of the vcluster, and one of the Pod of the user')
  const releases = () => runHelm(node, ['list', '--all-namespaces', '--short'])
  t.match(await releases(), release)
  await node.kubectl(...inDefault, 'delete', 'workspace', 'review', '--timeout=300s')
  await t.rejects(node.get(...inDefault, 'module', 'shop'), /NotFound/)
  await t.rejects(node.get('namespace', namespace), /NotFound/)
  t.notMatch(await releases(), release)
  // Their class retains volumes.
  await until(async () => (await claimed()).every(({ status }: Loose) => status.phase === 'Released'))
  t.equal((await claimed()).length, volumes.length)
  const files = volumes.map(({ spec }: Loose) => readFile(join(spec.local.path, 'starts'), 'utf8'))
  const found = await Promise.allSettled(files)
  const kept = found.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  t.strictSame(kept, ['started\nstarted\n'], 'the Pod of the user started twice')
}

/** The namespace and the release of the vcluster of a Workspace. */
interface Managed {
  namespace: string
  release: string
}

const workspace = {
  apiVersion: 'batch.forkspacer.com/v1',
  kind: 'Workspace',
  metadata: { name: 'review', namespace: 'default' },
  spec: { type: 'managed' },
}
const module = {
  apiVersion: 'batch.forkspacer.com/v1',
  kind: 'Module',
  metadata: { name: 'shop', namespace: 'default' },
  spec: {
    workspace: { name: 'review', namespace: 'default' },
    config: { appName: 'shop', replicas: 1 },
    source: { raw: { kind: 'Web', metadata: { name: 'web', version: '1.0.0' } } },
  },
}

/** Notes each start in its volume, and prints all of them. */
const counter = {
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name: 'counter', namespace: 'default' },
  spec: {
    serviceName: 'counter',
    selector: { matchLabels: { app: 'counter' } },
    template: {
      metadata: { labels: { app: 'counter' } },
      spec: {
        terminationGracePeriodSeconds: 1,
        containers: [
          {
            name: 'counter',
            image: 'localhost/node:24-slim',
            command: ['sh', '-c', 'echo started >>/data/starts && cat /data/starts && exec sleep infinity'],
            volumeMounts: [{ name: 'data', mountPath: '/data' }],
          },
        ],
      },
    },
    volumeClaimTemplates: [
      {
        metadata: { name: 'data' },
        spec: {
          accessModes: ['ReadWriteOnce'],
          storageClassName: 'workspaces',
          resources: { requests: { storage: '1Gi' } },
        },
      },
    ],
  },
}

/** The lines that the Pod of the user printed, one for each start. */
async function starts(vcluster: RealVCluster): Promise<string[]> {
  const { metadata, status } = await vcluster.get('pod', 'counter-0')
  if (metadata.deletionTimestamp || status.phase !== 'Running') throw new Error('counter-0 does not run')
  return (await vcluster.read('/api/v1/namespaces/default/pods/counter-0/log')).split('\n').filter(Boolean)
}

const podsOf = async (vcluster: RealVCluster): Promise<Loose[]> => (await vcluster.host('pods')).items

const hibernate = (node: RealNode, hibernated: boolean) =>
  node.kubectl(
    ...[...inDefault, 'patch', 'workspace', 'review', '--type=merge', '-p'],
    JSON.stringify({ spec: { hibernated } }),
  )

/** Waits for the phases of the Workspace and of its Module. */
const reaches = (node: RealNode, ofWorkspace: string, ofModule: string): Promise<void> =>
  until(async () => {
    const [one, other] = await Promise.all([
      node.get(...inDefault, 'workspace', 'review'),
      node.get(...inDefault, 'module', 'shop'),
    ])
    if (one.status?.phase === ofWorkspace && other.status?.phase === ofModule) return true
    throw new Error(JSON.stringify([one.status, other.status]))
  }, patiently)
