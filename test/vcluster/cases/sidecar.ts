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
import { manifest, type RealVCluster, vclusterOf } from '../real-vcluster.js'
import { persistent, withRelease } from '../values.js'
import { cars, certificates, createdPlugin, importedSecrets, pullSecrets, started } from './examples.js'
import { isDrained, isKilledByMemory, isRestarted, staysEqual } from './restarts.js'
import { hooks, mountsCopy } from './tenant.js'

const name = 'my-vcluster'
/** The reader's own plugin, in the commands of the page. */
const own = 'examples/hooks'
/** The examples that are next to the two of the pages. */
const others = ['crd-sync', 'import-secrets', 'pull-secret-sync', 'bootstrap-with-deployment', 'certificates']

export const sidecar: PodCase = {
  title: 'plugins next to a real vcluster',
  async run(t, node) {
    const files = t.testdir()
    await prepare(t, node, files)
    const values = await valuesOf(t, node, files)
    const beganMs = performance.now()
    for (const command of commandsOf('sidecar').filter(isRelease))
      await runDocumented(node, command, {
        values: [...values, join(files, 'plugin.yaml'), join(files, 'previous.yaml')],
      })
    const vcluster = await vclusterOf(node, { name, files })
    await vcluster.ready()
    t.comment(`helm: all containers are ready after ${Math.round((performance.now() - beganMs) / 1000)} s`)

    for (const claim of [
      mountsCopy,
      hooks,
      cars,
      importedSecrets,
      pullSecrets,
      started,
      certificates,
      createdPlugin,
    ])
      await t.test(claim.title, (t) => claim.run(t, node, vcluster))
    for (const container of ['sync-all-configmaps', 'hooks', 'syncer'])
      await t.test(`the container ${container} starts again, and the copies follow`, (t) =>
        isRestarted(t, node, vcluster, container),
      )
    await t.test('a plugin without memory is killed and starts again, and the copies follow', (t) =>
      isKilledByMemory(t, node, vcluster, 'sync-all-configmaps'),
    )
    await t.test('a drain evicts the Pod, it comes back, and no copy is written', (t) =>
      staysEqual(t, vcluster, () => isDrained(node, vcluster)),
    )
    await t.test('an upgrade of vcluster replaces the Pod, and no copy is written', (t) =>
      staysEqual(t, vcluster, async () => {
        const all = [...values, join(files, 'plugin.yaml')]
        for (const command of commandsOf('sidecar').filter(isRelease))
          await runDocumented(node, command, { values: all })
      }),
    )
    await t.test('an upgrade of a plugin replaces the Pod, and no copy is written', (t) =>
      staysEqual(t, vcluster, async () => {
        const all = ['plugin.yaml', ...values]
        for (const command of commandsOf('ownSidecar'))
          await runDocumented(node, command.replace(':v1', ':v2'), { folder: own, files, values: all })
      }),
    )
    await measured(t, node, vcluster)
  },
}

/** Images by the commands of the pages, and objects of the host. */
async function prepare(t: Test, node: RealNode, files: string): Promise<void> {
  for (const command of commandsOf('values'))
    await runDocumented(node, command.replace('path/to/plugin', own), { files })
  for (const command of commandsOf('ownSidecar').filter(isNoRelease))
    await runDocumented(node, command, { folder: own, files })
  await loadStandIns(node, { 'registry.k8s.io/pause:3.10': 80 })
  await node.kubectl('apply', '-f', 'examples/certificates/host-samples.yaml')
  await node.apply([persistent(t, name)])
}

/** The values of the other examples. */
async function valuesOf(t: Test, node: RealNode, files: string): Promise<string[]> {
  await writeFile(join(files, 'previous.yaml'), withRelease('0.36.0'))
  await writeFile(join(files, 'limits.yaml'), limits)
  const found = [join(files, 'limits.yaml')]
  for (const example of others) {
    const options = example === 'bootstrap-with-deployment' ? { files: ['manifests.yaml'] } : {}
    await node.load(await programImage(`${example}:dev`, `examples/${example}/main.ts`, options))
    const file = join(files, `${example}.yaml`)
    await writeFile(file, await manifest(`examples/${example}`))
    found.push(file)
  }
  return [...found, await valuesOfCreated(t, node, files)]
}

/** The values of a plugin that `create` wrote, with its image by its own Dockerfile. */
async function valuesOfCreated(t: Test, node: RealNode, files: string): Promise<string> {
  const plugin = await createdProject(t, 'copied-templates', ['--kind', 'podtemplates'])
  await node.load(plugin.image)
  const file = join(files, 'created.yaml')
  await writeFile(file, await plugin.manifest())
  return file
}

/** A volume for the data, as by default, and a limit for a plugin that is to exceed it. */
const limits = `
controlPlane:
  statefulSet:
    persistence: { volumeClaim: { enabled: true } }
plugin: { sync-all-configmaps: { resources: { limits: { memory: 192Mi } } } }
`

/** Says what each plugin needs. */
async function measured(t: Test, node: RealNode, { pod, namespace }: RealVCluster): Promise<void> {
  const { metadata, spec } = await pod()
  const names: string[] = spec.containers.map(({ name }: { name: string }) => name)
  for (const container of names.filter((name) => name !== 'syncer'))
    t.comment(`${container} ${await sizesOf(node, '-n', namespace, metadata.name, '-c', container)}`)
}
