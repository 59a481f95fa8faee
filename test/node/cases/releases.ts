// An operator with Helm charts in Pods: hook Jobs that run.
import type { Test } from 'tap'
import { missingEngine } from '../../helm/charts.js'
import { until } from '../../until.js'
import { managedWorkspace } from '../../vcluster/cases/managed-workspace.js'
import { missingVCluster } from '../../vcluster/real-vcluster.js'
import { programImage } from '../program-image.js'
import { type Loose, type RealNode, runProgram } from '../real-node.js'
import { sizesOf } from '../sizes-of.js'
import { loadStandIns } from '../stand-in.js'
import { containerManagers, namespaceOfManagers } from './container-managers.js'
import type { PodCase } from './pod-case.js'
import { volumes } from './volumes.js'

const folder = 'test/node/releases'

export const releases: PodCase = {
  title:
    'an operator with Helm charts: hook Jobs run, volumes survive sleep and fork, containers are managers, Workspaces are managed',
  skip: missingEngine,
  async run(t, node) {
    const { VCLUSTER_CHART: chart } = process.env
    const copies = chart ? { [chart]: 'chart', 'test/vcluster/values.yaml': 'values.yaml' } : {}
    const files = ['watches.yaml', 'shops.yaml', 'charts']
    const image = await programImage('releases:v1', `${folder}/main.ts`, { files, copies, hasEngine: true })
    await node.load(image)
    await loadStandIns(node, { 'nginx:1.29.4': 80 })
    await namespaceOfManagers(node)
    // It renders three charts and runs managers of Modules.
    const args = ['--image', image, '--memory', '512']
    const manifest = await runProgram('node', ['bin/vcluster-plugin.js', 'manifest', folder, ...args])
    await node.run('kubectl', ['apply', '--server-side', '-f', '-'], manifest)
    await node.kubectl('-n', 'releases-system', 'rollout', 'status', 'deployment/releases', '--timeout=300s')
    t.comment(`releases ${await sizesOf(node, '-n', 'releases-system', 'deployment/releases')}`)
    const claims = {
      'hook Jobs of a chart run in their order': hookJobs,
      'the data of a volume survives sleep, wake and fork': volumes,
      'a container is the manager of a Module': containerManagers,
      ...(missingVCluster() ? {} : { 'a managed vcluster sleeps, wakes and goes': managedWorkspace }),
    }
    // Each has namespaces of its own, and mostly waits.
    await t.test('at the same time', { jobs: 4 }, async (t) => {
      for (const [title, run] of Object.entries(claims)) void t.test(title, (t) => run(t, node))
    })
    t.comment(`releases ${await sizesOf(node, '-n', 'releases-system', 'deployment/releases')}, afterwards`)
    // Other cases get its processor time.
    await node.kubectl('-n', 'releases-system', 'scale', 'deployment/releases', '--replicas=0')
  },
}

async function hookJobs(t: Test, node: RealNode): Promise<void> {
  const namespace = ['-n', 'shops']
  await node.kubectl('create', 'namespace', 'shops')
  const apply = (spec: object) =>
    node.apply({
      apiVersion: 'shop.my.domain/v1',
      kind: 'Shop',
      metadata: { name: 'one', namespace: 'shops' },
      spec,
    })
  const logs = (job: string) => node.kubectl(...namespace, 'logs', `job/one-${job}`)
  const condition = async (type: string): Promise<Loose> =>
    (await node.get(...namespace, 'shop', 'one')).status.conditions.find((one: Loose) => one.type === type)
  const revision = async () =>
    (await node.get(...namespace, 'shop', 'one')).status.deployedRelease?.revision ?? 0

  await apply({ text: 'hello' })
  await until(async () => (await condition('Ready')).status === 'True')
  t.match(await logs('before'), 'before hello')
  t.match(await logs('after'), /^hello$/m, 'the shop answered the Job after it')
  const job = await node.get(...namespace, 'job', 'one-before')
  const shop = await node.get(...namespace, 'deployment', 'one')
  t.ok(job.status.completionTime <= shop.metadata.creationTimestamp, 'the shop waits for the Job before it')
  const before = await revision()

  await apply({ text: 'changed', broken: true })
  await until(async () => (await condition('ReleaseFailed')).status === 'True')
  t.match((await condition('ReleaseFailed')).message, /one-before/)
  t.match(
    (await node.get(...namespace, 'deployment', 'one')).spec.template,
    shop.spec.template,
    'a Job that fails holds the upgrade',
  )

  await apply({ text: 'changed' })
  await until(async () => (await revision()) > before && (await condition('Ready')).status === 'True')
  await until(async () => /^changed$/m.test(await logs('after')))

  const farewell = node.kubectl(...namespace, 'wait', 'job/one-farewell', '--for=create', '--timeout=300s')
  await node.kubectl(...namespace, 'delete', 'shop', 'one', '--wait=false')
  await farewell
  await node.kubectl(...namespace, 'wait', 'shop/one', '--for=delete', '--timeout=300s')
  t.match(await logs('farewell'), /^changed$/m, 'the shop answered the Job before the end')
  await t.rejects(node.get(...namespace, 'deployment', 'one'), /NotFound/)
  await node.kubectl('delete', 'namespace', 'shops', '--wait=false')
}
