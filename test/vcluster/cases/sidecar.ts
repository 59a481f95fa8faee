// Plugins as sidecars of a real vcluster, in Pods: the commands of docs/install.md and docs/guides/to-your-cluster.md,
// what the READMEs of the examples claim, and what happens to copies when something restarts.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Test } from 'tap'
import type { PodCase } from '../../node/cases/pod-case.js'
import { createdProject } from '../../node/created-project.js'
import { programImage } from '../../node/program-image.js'
import type { RealNode } from '../../node/real-node.js'
import { sizesOf } from '../../node/sizes-of.js'
import { loadStandIns } from '../../node/stand-in.js'
import { commandsOf, isNoRelease, isRelease, runDocumented } from '../documented.js'
import { withChartImages, withPluginImage } from '../prepared.js'
import { manifest, missingVCluster, type RealVCluster, vclusterOf } from '../real-vcluster.js'
import { persistent, replaceable, withRelease } from '../values.js'
import type { Claim } from './claim.js'
import { evictedVCluster } from './evicted-vcluster.js'
import { cars, certificates, createdPlugin, importedSecrets, pullSecrets, started } from './examples.js'
import { bySidecars, isDrained, isKilledByMemory, isRestarted, staysEqual } from './restarts.js'
import { hooks, mountsCopy } from './tenant.js'

const name = 'my-vcluster'
/** The reader's own plugin, in the commands of the page. */
const own = 'examples/hooks'
/** Plugins that are next to the two of the pages, and what is verified of all. */
interface Neighbours {
  readonly examples: readonly string[]
  /** Whether a plugin that `create` wrote is one of them. */
  readonly hasCreated: boolean
  /** Claims about different objects. Those of one line use the same. */
  readonly claims: readonly (readonly Claim[])[]
}

const none: Neighbours = { examples: [], hasCreated: false, claims: [[mountsCopy, hooks]] }
const all: Neighbours = {
  examples: ['crd-sync', 'import-secrets', 'pull-secret-sync', 'bootstrap-with-deployment', 'certificates'],
  hasCreated: true,
  claims: [
    ...none.claims,
    [cars],
    [importedSecrets],
    [pullSecrets],
    [started],
    [certificates],
    [createdPlugin],
  ],
}

/** A vcluster with plugins next to it. */
interface Installed {
  readonly vcluster: RealVCluster
  /** The folder of the values of its releases, and the further ones of each. */
  readonly files: string
  readonly values: readonly string[]
}

/** The first part of {@link sidecar}, with the plugins of the pages alone. */
export const claimedSidecar: PodCase = {
  title: 'what the pages claim of plugins next to a real vcluster',
  skip: missingVCluster(),
  async run(t, node) {
    await installed(t, node, none)
  },
}

export const sidecar: PodCase = {
  title: 'plugins next to a real vcluster',
  skip: missingVCluster(),
  async run(t, node) {
    const { vcluster, files, values } = await installed(t, node, all)
    // A kubelet starts a container again at once, and the second time after 10 s, so the Pod is replaced in between.
    await startsAgain(t, node, vcluster, 'syncer')
    await t.test('a drain evicts the Pod, it comes back, and no copy is written', (t) =>
      staysEqual(t, vcluster, () => isDrained(node, vcluster)),
    )
    await t.test('a plugin without memory is killed and starts again, and the copies follow', (t) =>
      isKilledByMemory(t, node, vcluster, 'sync-all-configmaps'),
    )
    await startsAgain(t, node, vcluster, 'hooks')
    await t.test('an upgrade of vcluster replaces the Pod, and no copy is written', (t) =>
      staysEqual(t, vcluster, async () => {
        const newest = [...values, join(files, 'plugin.yaml')]
        for (const command of commandsOf('sidecar').filter(isRelease))
          await runDocumented(node, command, { values: newest })
      }),
    )
    await startsAgain(t, node, vcluster, 'sync-all-configmaps')
    await t.test('an upgrade of a plugin replaces the Pod, and no copy is written', (t) =>
      staysEqual(t, vcluster, async () => {
        const withOwn = ['plugin.yaml', ...values]
        for (const command of commandsOf('ownSidecar'))
          await runDocumented(node, command.replace(':v1', ':v2'), { folder: own, files, values: withOwn })
      }),
    )
    await measured(t, node, vcluster)
  },
  evicted: (t, node) => evictedVCluster(t, node, name, bySidecars),
}

/** Installs it by the commands of the pages, and verifies what they and the READMEs claim. */
async function installed(t: Test, node: RealNode, neighbours: Neighbours): Promise<Installed> {
  const files = t.testdir()
  const [values] = await Promise.all([valuesOf(t, node, { files, ...neighbours }), prepare(node, files)])
  const beganMs = performance.now()
  for (const command of commandsOf('sidecar').filter(isRelease))
    await runDocumented(node, command, {
      values: [...values, join(files, 'plugin.yaml'), join(files, 'previous.yaml')],
    })
  const vcluster = await vclusterOf(node, { name, files })
  await vcluster.ready()
  t.comment(`helm: all containers are ready after ${Math.round((performance.now() - beganMs) / 1000)} s`)

  await t.test('what the pages and the READMEs claim', { jobs: 2 }, async (t) => {
    for (const line of neighbours.claims)
      void t.test(line.map(({ title }) => title).join('; '), async (t) => {
        for (const { title, run } of line) await t.test(title, (t) => run(t, node, vcluster))
      })
  })
  return { vcluster, files, values }
}

const startsAgain = (t: Test, node: RealNode, vcluster: RealVCluster, container: string) =>
  t.test(`the container ${container} starts again, and the copies follow`, (t) =>
    isRestarted(t, node, vcluster, container),
  )

/** Images by the commands of the pages, and objects of the host. */
async function prepare(node: RealNode, files: string): Promise<void> {
  await withChartImages(node)
  await withPluginImage(node)
  for (const command of commandsOf('values'))
    await runDocumented(node, command.replace('path/to/plugin', own), { files })
  for (const command of commandsOf('ownSidecar').filter(isNoRelease))
    await runDocumented(node, command, { folder: own, files })
  await loadStandIns(node, { 'registry.k8s.io/pause:3.10': 80 })
  await node.kubectl('apply', '-f', 'examples/certificates/host-samples.yaml')
  await node.apply([await persistent(node, name)])
}

/** The values of the other plugins. */
async function valuesOf(
  t: Test,
  node: RealNode,
  { files, examples, hasCreated }: Neighbours & { files: string },
): Promise<string[]> {
  await writeFile(join(files, 'previous.yaml'), withRelease('0.36.0'))
  await writeFile(join(files, 'limits.yaml'), limits)
  const found = [join(files, 'limits.yaml')]
  for (const example of examples) {
    const options = example === 'bootstrap-with-deployment' ? { files: ['manifests.yaml'] } : {}
    await node.load(await programImage(`${example}:dev`, `examples/${example}/main.ts`, options))
    const file = join(files, `${example}.yaml`)
    await writeFile(file, await manifest(`examples/${example}`))
    found.push(file)
  }
  return hasCreated ? [...found, await valuesOfCreated(t, node, files)] : found
}

/** The values of a plugin that `create` wrote, with its image by its own Dockerfile. */
async function valuesOfCreated(t: Test, node: RealNode, files: string): Promise<string> {
  const plugin = await createdProject(t, 'copied-templates', ['--kind', 'podtemplates'])
  await node.load(plugin.image)
  const file = join(files, 'created.yaml')
  await writeFile(file, await plugin.manifest())
  return file
}

/** The values of {@link replaceable}, and a limit for a plugin that is to exceed it. */
const limits = `${replaceable}
plugin: { sync-all-configmaps: { resources: { limits: { memory: 192Mi } } } }
`

/** Says what each plugin needs. */
async function measured(t: Test, node: RealNode, { pod, namespace }: RealVCluster): Promise<void> {
  const { metadata, spec } = await pod()
  const names: string[] = spec.containers.map(({ name }: { name: string }) => name)
  for (const container of names.filter((name) => name !== 'syncer'))
    t.comment(`${container} ${await sizesOf(node, '-n', namespace, metadata.name, '-c', container)}`)
}
