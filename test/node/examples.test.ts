// The images of the examples that run without a vcluster, each deployed by `vcluster-plugin manifest`, with their
// samples.
import t, { type Test } from 'tap'
import { parseAllDocuments } from 'yaml'
import { missingEngine } from '../helm/charts.js'
import { until } from '../until.js'
import { memoryOf } from './memory-of.js'
import { buildImage, type Loose, missingNode, type RealNode, runProgram, startNode } from './real-node.js'
import { loadStandIns } from './stand-in.js'

t.setTimeout(900_000)
t.comment('timeout=900000')

const manifest = (example: string, ...args: string[]) =>
  runProgram('node', ['bin/vcluster-plugin.js', 'manifest', `examples/${example}`, ...args])
const sample = (example: string) => ['-f', `examples/${example}/samples.yaml`]

void t.test('the images of the examples', { skip: missingNode() }, async (t) => {
  const node = await startNode(t)
  await loadStandIns(node, { 'memcached:1.6.39-alpine': 11211, 'nginx:1.29.4': 80 })

  await t.test('memcached: the Deployment of the sample becomes available', async (t) => {
    const { memory, remove } = await deploy(t, node, 'memcached')
    await node.kubectl('apply', ...sample('memcached'))
    await node.kubectl('wait', 'memcachedbackup/daily', '--for=condition=Available', '--timeout=60s')
    t.equal((await node.get('memcachedbackup', 'daily')).status.nodes.length, 2)
    t.comment(`memcached needs ${await memory()} MiB`)
    await remove()
  })

  await t.test(
    'memcached-helm: the chart of the sample is rendered in the Pod and becomes ready',
    { skip: missingEngine },
    async (t) => {
      const files = 'watches.yaml charts crds'
      const { memory, remove } = await deploy(t, node, 'memcached-helm', { files })
      await node.kubectl('apply', ...sample('memcached-helm'))
      await until(async () => (await node.get('statefulset', 'sessions')).status.readyReplicas === 3)
      await until(async () => {
        const { status } = await node.get('memcached', 'sessions')
        return status.conditions.some(({ type, status }: Loose) => type === 'Ready' && status === 'True')
      })
      t.comment(`memcached-helm needs ${await memory()} MiB after a release`)
      await node.kubectl('delete', ...sample('memcached-helm'))
      await t.rejects(node.get('statefulset', 'sessions'), /NotFound/)
      await remove()
    },
  )

  await t.test('modules: a Module is installed, sleeps, wakes and is uninstalled', async (t) => {
    const { memory, remove } = await deploy(t, node, 'modules')
    await node.kubectl('apply', ...sample('modules'))
    // Its schedule would put it to sleep at any time of the day.
    await hibernate(node, { autoHibernation: null, hibernated: false })
    await reaches(node, 'ready')
    await until(async () => (await node.get('deployment', 'shop')).status.readyReplicas === 2)
    await hibernate(node, { hibernated: true })
    await reaches(node, 'sleeped')
    await until(async () => (await node.kubectl('get', 'pods', '-l', 'app=shop', '-o', 'name')) === '')
    await hibernate(node, { hibernated: false })
    await reaches(node, 'ready')
    await until(async () => (await node.get('deployment', 'shop')).status.readyReplicas === 2)
    await node.kubectl('delete', 'module', 'shop')
    await t.rejects(node.get('deployment', 'shop'), /NotFound/)
    t.comment(`modules needs ${await memory()} MiB`)
    await remove()
  })

  await t.test('bucket: an object of the sample is reconciled', async (t) => {
    const { remove } = await deploy(t, node, 'bucket')
    await node.kubectl('apply', ...sample('bucket'))
    await until(async () => (await node.get('-f', 'examples/bucket/samples.yaml')).status !== undefined)
    await remove()
  })

  await node.kubectl('create', 'namespace', 'cnpg-system')
  await node.kubectl('label', 'namespace', 'cnpg-system', 'pod-security.kubernetes.io/enforce=restricted')
  for (const example of ['cnpg-hello-world', 'cnpg-wal-archive'])
    await t.test(`${example}: the plugin of CloudNativePG is ready`, async (t) => {
      const { memory } = await deploy(t, node, example, { args: ['--self-signed'] })
      t.comment(`${example} needs ${await memory()} MiB`)
    })
})

/** Builds the image of an example, applies its manifest and waits for its Pods. */
async function deploy(
  t: Test,
  node: RealNode,
  example: string,
  options: DeployOptions = {},
): Promise<Deployed> {
  const image = `${example}:v1`
  const files = options.files === undefined ? [] : ['--build-arg', `PLUGIN_FILES=${options.files}`]
  await buildImage(image, '.', '--build-arg', `PLUGIN_ENTRY=examples/${example}/main.ts`, ...files)
  await node.load(image)
  const beganMs = performance.now()
  const text = await manifest(example, '--image', image, ...(options.args ?? []))
  await node.run('kubectl', ['apply', '--server-side', '-f', '-'], text)
  const { metadata } = parseAllDocuments(text)
    .map((one) => one.toJS())
    .find(({ kind }) => kind === 'Deployment')
  const at = ['-n', metadata.namespace, `deployment/${metadata.name}`]
  await node.kubectl('rollout', 'status', '--timeout=120s', ...at)
  t.comment(`${example}: ready ${Math.round((performance.now() - beganMs) / 1000)} s after kubectl apply`)
  return {
    memory: () => memoryOf(node, ...at),
    async remove() {
      const lines = (await manifest(example, '--uninstall')).split('\n')
      for (const line of lines.filter((one) => one.startsWith('kubectl '))) await node.run('sh', ['-c', line])
    },
  }
}

interface DeployOptions {
  /** Files that the program reads. */
  files?: string
  /** Further arguments of `manifest`. */
  args?: readonly string[]
}

interface Deployed {
  /** The working set of one of its Pods, in MiB. */
  memory(): Promise<number>
  remove(): Promise<void>
}

const hibernate = (node: RealNode, spec: object) =>
  node.kubectl('patch', 'workspace', 'dev', '--type=merge', '-p', JSON.stringify({ spec }))

async function reaches(node: RealNode, phase: string): Promise<void> {
  await until(async () => (await node.get('module', 'shop')).status?.phase === phase)
}
