// An operator with Helm charts in Pods: hook Jobs that run.
import type { Test } from 'tap'
import { missingEngine } from '../../helm/charts.js'
import { until } from '../../until.js'
import { programImage } from '../program-image.js'
import { type Loose, type RealNode, runProgram } from '../real-node.js'
import { containerManagers, namespaceOfManagers } from './container-managers.js'
import type { PodCase } from './pod-case.js'
import { volumes } from './volumes.js'

const folder = 'test/node/releases'

export const releases: PodCase = {
  title:
    'an operator with Helm charts: hook Jobs run, volumes survive sleep and fork, containers are managers',
  skip: missingEngine,
  async run(t, node) {
    const files = ['watches.yaml', 'shops.yaml', 'charts']
    const image = await programImage('releases:v1', `${folder}/main.ts`, { files, hasEngine: true })
    await node.load(image)
    await namespaceOfManagers(node)
    const manifest = await runProgram('node', [
      'bin/vcluster-plugin.js',
      'manifest',
      folder,
      '--image',
      image,
    ])
    await node.run('kubectl', ['apply', '--server-side', '-f', '-'], manifest)
    await node.kubectl('-n', 'releases-system', 'rollout', 'status', 'deployment/releases', '--timeout=120s')
    const claims = {
      'hook Jobs of a chart run in their order': hookJobs,
      'the data of a volume survives sleep, wake and fork': volumes,
      'a container is the manager of a Module': containerManagers,
    }
    // Each has namespaces of its own, and mostly waits.
    await t.test('at the same time', { jobs: 3 }, async (t) => {
      for (const [title, run] of Object.entries(claims)) void t.test(title, (t) => run(t, node))
    })
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

  const farewell = node.kubectl(...namespace, 'wait', 'job/one-farewell', '--for=create', '--timeout=120s')
  await node.kubectl(...namespace, 'delete', 'shop', 'one', '--wait=false')
  await farewell
  await node.kubectl(...namespace, 'wait', 'shop/one', '--for=delete', '--timeout=120s')
  t.match(await logs('farewell'), /^changed$/m, 'the shop answered the Job before the end')
  await t.rejects(node.get(...namespace, 'deployment', 'one'), /NotFound/)
  await node.kubectl('delete', 'namespace', 'shops', '--wait=false')
}
