// A managed Workspace with the chart of vcluster: its vcluster sleeps and wakes with Pods and data in it.
import { basename, join } from 'node:path'
import type { Test } from 'tap'
import { missingEngine } from '../../helm/charts.js'
import type { PodCase } from '../../node/cases/pod-case.js'
import { localVolumes } from '../../node/local-volumes.js'
import { programImage } from '../../node/program-image.js'
import type { Loose, RealNode } from '../../node/real-node.js'
import { sizesOf } from '../../node/sizes-of.js'
import { loadStandIns } from '../../node/stand-in.js'
import { until } from '../../until.js'
import { eventually, manifest, type RealVCluster, vclusterOf } from '../real-vcluster.js'
import { configMap } from './tenant.js'

const folder = 'test/vcluster/workspaces'
const inDefault = ['-n', 'default']
const patiently = { withinMs: 300_000, everyMs: 250 }

export const workspaces: PodCase = {
  title: 'a managed Workspace: its vcluster sleeps and wakes with Pods and data in it',
  skip: missingEngine,
  async run(t, node) {
    await deployed(t, node)
    await localVolumes(node, { storageClass: 'workspaces', count: 2 })
    const beganMs = performance.now()
    await node.apply([workspace, module])
    await reaches(node, 'ready', 'ready')
    t.comment(
      `the vcluster and its Module are ready after ${Math.round((performance.now() - beganMs) / 1000)} s`,
    )
    const { release, namespace } = (await node.get(...inDefault, 'workspace', 'review')).status.managed
    const vcluster = await vclusterOf(node, { name: release, namespace, files: t.testdir() })

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
    await t.test(
      'awake: the Pods come back, with the data of the vcluster and of their volumes',
      async (t) => {
        await hibernate(node, false)
        await reaches(node, 'ready', 'ready')
        await until(async () => (await eventually(() => starts(vcluster))).length === 2, patiently)
        t.equal((await vcluster.get('configmap', 'kept')).data.text, 'by the vcluster')
        await until(async () => (await vcluster.get('deployment', 'shop')).status.readyReplicas === 1)
      },
    )
  },
}

/** Deploys the operator. Its image has the chart and the values of this node. */
async function deployed(t: Test, node: RealNode): Promise<void> {
  await loadStandIns(node, { 'nginx:1.29.4': 80 })
  const chart = process.env.VCLUSTER_CHART ?? ''
  const files = { [chart]: 'chart', 'test/vcluster/values.yaml': 'values.yaml' }
  const image = await programImage('workspaces:v1', join(folder, 'main.ts'), {
    copies: files,
    hasEngine: true,
  })
  await node.load(image)
  const beganMs = performance.now()
  await node.run('kubectl', ['apply', '--server-side', '-f', '-'], await manifest(folder, '--image', image))
  const at = ['-n', 'workspaces-system', 'deployment/workspaces']
  await node.kubectl('rollout', 'status', '--timeout=300s', ...at)
  t.comment(
    `${basename(folder)}: ready ${Math.round((performance.now() - beganMs) / 1000)} s after kubectl apply`,
  )
  t.comment(`${basename(folder)} ${await sizesOf(node, ...at)}`)
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
  return (await vcluster.kubectl(['logs', 'counter-0'])).split('\n').filter(Boolean)
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
