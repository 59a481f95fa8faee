// Modules with Helm charts in Pods: a local volume survives sleep, wake and fork.
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import type { Test } from 'tap'
import { until } from '../../until.js'
import { localVolumes } from '../local-volumes.js'
import { type Loose, type RealNode, runProgram } from '../real-node.js'

/** A Module with a volume sleeps and wakes, and its Workspace is forked with its data. */
export async function volumes(t: Test, node: RealNode): Promise<void> {
  await localVolumes(node, { storageClass: 'local', count: 2 })
  const inStores = ['-n', 'stores']
  await node.kubectl('create', 'namespace', 'stores')
  const archive = join(await mkdtemp(join(node.folder, 'chart-')), 'chart.tgz')
  await runProgram('tar', ['-czf', archive, '-C', 'test/node/releases/charts', 'store'])
  const chart = ['create', 'configmap', 'store-chart', `--from-file=chart.tgz=${archive}`]
  await node.kubectl(...inStores, ...chart)
  await node.apply([workspace('dev', {}), store])
  await reaches(node, 'dev', 'ready')
  await until(async () => (await starts(node, 'books')).length === 1)

  await hibernate(node, 'dev', true)
  await reaches(node, 'dev', 'hibernated')
  await until(async () => (await node.get(...inStores, 'pods')).items.length === 0)
  await hibernate(node, 'dev', false)
  await reaches(node, 'dev', 'ready')
  await until(async () => (await starts(node, 'books')).length === 2)

  await node.apply(workspace('copy', { from: { name: 'dev', namespace: 'stores', migrateData: true } }))
  await until(
    async () => (await node.get(...inStores, 'workspace', 'copy')).status?.fork?.phase === 'copying',
  )
  await hibernate(node, 'dev', true)
  await reaches(node, 'copy', 'ready')
  const { items } = await node.get(...inStores, 'statefulsets')
  const fork = items.find(({ metadata }: Loose) => metadata.name !== 'books').metadata.name
  await until(async () => (await starts(node, fork)).at(-1) === `${fork}-0`)
  const found = await starts(node, fork)
  t.strictSame(found.slice(-3), ['books-0', 'books-0', `${fork}-0`], 'the fork has the files of its source')
  const log = await logOf(node, fork)
  t.match(log, /^1000:1000$/m, 'with their owners')
  t.strictSame((await node.get(...inStores, 'pods', '-l', 'forkspacer.com/fork')).items, [])
  await hibernate(node, 'dev', false)
  await until(async () => (await starts(node, 'books')).length === 3)
  await node.kubectl(...inStores, 'delete', 'workspace,module', '--all')
  await node.kubectl('delete', 'namespace', 'stores', '--wait=false')
}

/** The Pods that noted their start in the volume, as the last one of a release printed them. */
async function starts(node: RealNode, release: string): Promise<string[]> {
  return (await logOf(node, release)).split('\n').filter((line) => line.endsWith('-0'))
}

/** The log of the Pod of a release. */
const logOf = (node: RealNode, release: string): Promise<string> =>
  node.read(`/api/v1/namespaces/stores/pods/${release}-0/log`)

const hibernate = (node: RealNode, name: string, hibernated: boolean) =>
  node.kubectl(
    '-n',
    'stores',
    'patch',
    'workspace',
    name,
    '--type=merge',
    '-p',
    JSON.stringify({ spec: { hibernated } }),
  )

async function reaches(node: RealNode, name: string, phase: string): Promise<void> {
  await until(async () => {
    const { status, metadata } = await node.get('-n', 'stores', 'workspace', name)
    return (
      status?.phase === phase && (status.observedGeneration ?? metadata.generation) === metadata.generation
    )
  })
}

const workspace = (name: string, spec: object) => ({
  apiVersion: 'batch.forkspacer.com/v1',
  kind: 'Workspace',
  metadata: { name, namespace: 'stores' },
  spec,
})
const store = {
  apiVersion: 'batch.forkspacer.com/v1',
  kind: 'Module',
  metadata: { name: 'books', namespace: 'stores' },
  spec: {
    workspace: { name: 'dev', namespace: 'stores' },
    helm: {
      chart: { configMap: { name: 'store-chart', namespace: 'stores' } },
      releaseName: 'books',
      namespace: 'stores',
      migration: { pvc: { enabled: true, names: ['data-{{ .releaseName }}-0'] } },
    },
  },
}
