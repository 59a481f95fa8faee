// Plugins inside the container of a real vcluster, in a Pod: the commands of docs/install.md and
// docs/guides/to-your-cluster.md, and what the READMEs of the examples claim.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Test } from 'tap'
import type { PodCase } from '../../node/cases/pod-case.js'
import type { RealNode } from '../../node/real-node.js'
import { until } from '../../until.js'
import { blocksOf, commandsOf, isRelease, runDocumented } from '../documented.js'
import { withChartImages, withPluginImage } from '../prepared.js'
import { eventually, missingVCluster, type RealVCluster, vclusterOf } from '../real-vcluster.js'
import { persistent, replaceable } from '../values.js'
import { evictedVCluster } from './evicted-vcluster.js'
import { type Copied, isDrained, staysEqual } from './restarts.js'
import { standalone } from './standalone.js'

const name = 'inside'
/** The reader's own plugin, in the commands of the page. */
const own = 'examples/everything'

export const inSyncer: PodCase = {
  title: 'plugins inside a real vcluster; standalone plugins',
  skip: missingVCluster(),
  async run(t, node) {
    const vcluster = await installed(t, node)
    await t.test(
      'interceptor: it answers in place of the API server, and lets other requests through',
      async (t) => {
        await until(() => isKept(vcluster))
        await vcluster.kubectl(['create', 'namespace', 'shop'])
        await t.resolves(vcluster.kubectl(['delete', 'namespace', 'shop']))
      },
    )
    await t.test('interceptor: its page identifies a caller and asks for its permissions', (t) =>
      identifies(t, node, vcluster),
    )
    await t.test(
      'everything: a Pod that does not exist is answered by the configuration, a car and a Pod are copied',
      (t) => isComplete(t, vcluster),
    )
    await t.test('after a restart of the container both plugins answer again', async () => {
      const before = await vcluster.restarts('syncer')
      await vcluster.exec('syncer', 'sh', '-c', 'kill 1')
      await until(async () => (await vcluster.restarts('syncer')) > before)
      await vcluster.ready()
      await until(() => isKept(vcluster))
      await until(() => isAnswered(vcluster))
    })
    await t.test('a drain evicts the Pod, it comes back, and no copy is written', (t) =>
      staysEqual(t, vcluster, () => isDrained(node, vcluster), byEverything),
    )
    await t.test('an upgrade of a plugin replaces the Pod, and no copy is written', async (t) => {
      await staysEqual(t, vcluster, () => isReleased(node, vcluster.files, 'v2'), byEverything)
      await until(() => isKept(vcluster))
      await until(() => isAnswered(vcluster))
    })
    await measured(t, vcluster)
    await standalone(t, node, vcluster)
  },
  evicted: (t, node) => evictedVCluster(t, node, name, byEverything),
}

/** The kind that the example copies. */
const byEverything: Copied = {
  kinds: 'cars',
  original: (name) => ({
    apiVersion: 'example.loft.sh/v1',
    kind: 'Car',
    metadata: { name, namespace: 'default' },
    spec: { type: 'Audi', seats: 4 },
  }),
}

/** Installs the plugins as the pages say, with a Service in the kubeconfig for standalone plugins. */
async function installed(t: Test, node: RealNode): Promise<RealVCluster & { files: string }> {
  await withChartImages(node)
  await withPluginImage(node)
  const files = t.testdir()
  const [exported = ''] = blocksOf('docs/install.md', '## Standalone', 'yaml')
  await writeFile(join(files, 'export.yaml'), exported.replaceAll('my-vcluster', name))
  await writeFile(
    join(files, 'config.yaml'),
    'plugins: { everything: { config: { answeredPod: ghost, answer: seen } } }\n',
  )
  await writeFile(join(files, 'replaceable.yaml'), replaceable)
  await node.apply([await persistent(node, name)])
  for (const command of commandsOf('inSyncer')) await runDocumented(node, command, { files, folder: '.' })
  const beganMs = await isReleased(node, files, 'v1')
  const vcluster = await vclusterOf(node, { name, files })
  await vcluster.ready()
  t.comment(`helm: the container is ready after ${Math.round((performance.now() - beganMs) / 1000)} s`)
  return { ...vcluster, files }
}

/** Builds a version of the own plugin, and installs or upgrades the vcluster. Returns the start of the last command. */
async function isReleased(node: RealNode, files: string, version: string): Promise<number> {
  const names = ['in-syncer.yaml', 'config.yaml', 'export.yaml', 'replaceable.yaml']
  const options = { folder: own, files, values: names.map((file) => join(files, file)) }
  for (const command of commandsOf('ownInSyncer'))
    await runDocumented(node, command.replaceAll(':v1', `:${version}`), options)
  const beganMs = performance.now()
  for (const command of commandsOf('ownSidecar').filter(isRelease))
    await runDocumented(node, command.replaceAll('my-vcluster', name), options)
  return beganMs
}

async function isKept({ kubectl }: RealVCluster): Promise<boolean> {
  const refused = await kubectl(['delete', 'namespace', 'default']).catch((error: unknown) => String(error))
  return refused.includes('this namespace is kept by a plugin')
}

async function identifies(t: Test, node: RealNode, { kubectl, namespace }: RealVCluster): Promise<void> {
  const token = (await kubectl(['create', 'token', 'default'])).trim()
  const { spec } = await node.get('-n', namespace, 'service', name)
  const page = `https://${spec.clusterIP}/plugin/access?namespace=shop`
  const answer = await node.run('curl', ['-sk', '-H', `x-plugin-token: ${token}`, page])
  t.match(JSON.parse(answer), { user: 'system:serviceaccount:default:default', mayListSecrets: false })
  t.match(JSON.parse(await node.run('curl', ['-sk', page])), { message: /send a token/ })
}

const isAnswered = async ({ kubectl }: RealVCluster): Promise<boolean> =>
  (await kubectl(['get', 'pod', 'ghost', '-o', 'name'])).trim() === 'pod/seen'

async function isComplete(t: Test, vcluster: RealVCluster): Promise<void> {
  await until(() => isAnswered(vcluster))
  await t.rejects(vcluster.kubectl(['get', 'pod', 'stuff']), /NotFound/)
  for (const example of ['crd-sync', 'hooks'])
    await eventually(() => vcluster.kubectl(['apply', '-f', `examples/${example}/samples.yaml`]))
  await eventually(() => vcluster.host('car', `beetle-x-default-x-${name}`))
  const pod = await eventually(() => vcluster.host('pod', `web-x-default-x-${name}`))
  t.equal(pod.metadata.labels['created-by-plugin'], 'pod-hook')
  await until(async () => (await vcluster.host('service', `web-x-default-x-${name}`)).spec.ports.length === 2)
}

/** Says what the plugins need: the resident memory of their processes, and the folders that their images have. */
async function measured(t: Test, { exec }: RealVCluster): Promise<void> {
  const resident = `for one in /proc/[0-9]*; do grep -q ^/plugins/ $one/cmdline && grep VmRSS $one/status; done; true`
  const sizes = await exec('syncer', 'sh', '-c', resident)
  const memory = [...sizes.matchAll(/(\d+) kB/g)].map(([, kib]) => Math.round(Number(kib) / 1024))
  t.comment(`the processes of the plugins need ${memory.join(' and ')} MiB`)
  t.comment(
    `their folders in MiB: ${(await exec('syncer', 'sh', '-c', 'du -sm /plugins/*')).replace(/\s+/g, ' ')}`,
  )
}
