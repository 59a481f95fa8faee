// A plugin next to nothing: a process with two kubeconfigs, and a Deployment, by the commands of docs/install.md.
import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Test } from 'tap'
import type { RealNode } from '../../node/real-node.js'
import { sizesOf } from '../../node/sizes-of.js'
import { until } from '../../until.js'
import { commandsOf, runDocumented } from '../documented.js'
import { eventually, type RealVCluster } from '../real-vcluster.js'
import { configMap } from './tenant.js'

/** Copies ConfigMaps by a process, then by a Pod. `files` has the kubeconfig of the vcluster. */
export async function standalone(
  t: Test,
  node: RealNode,
  vcluster: RealVCluster & { files: string },
): Promise<void> {
  const { name, namespace, files } = vcluster
  await t.test('a standalone process copies, and stops at a signal', async (t) => {
    const host = join(files, 'host.kubeconfig')
    await node.run('sh', ['-c', `cp "$KUBECONFIG" ${host}`])
    const script = join(files, 'standalone.sh')
    await writeFile(script, await textOf(files, name))
    const ended = node.run('env', ['-C', resolve('.'), 'sh', '-c', `sh -e ${script} 2>&1; true`])
    await copies(vcluster, 'by-a-process')
    process.kill(Number(await readFile(join(files, 'pid'), 'utf8')), 'SIGINT')
    t.match(await ended, 'the plugin is running')
    t.equal(await leader(node, vcluster), '', 'the Lease is free')
  })

  await t.test('a standalone Pod is ready, and copies', async (t) => {
    const beganMs = performance.now()
    for (const command of commandsOf('standalonePod'))
      await runDocumented(node, command.replaceAll('my-vcluster', name))
    t.comment(`standalone: ready after ${Math.round((performance.now() - beganMs) / 1000)} s`)
    await copies(vcluster, 'by-a-pod')
    const sizes = await sizesOf(node, '-n', namespace, 'deployment/sync-all-configmaps')
    t.comment(`sync-all-configmaps, standalone: ${sizes}`)
    t.match(await leader(node, vcluster), /_c[0-9a-f]{16}$/, 'the Pod leads, with the Lease of the process')
  })
}

/** The holder of the Lease of the plugin. */
const leader = async (node: RealNode, { name, namespace }: RealVCluster): Promise<string> =>
  (await node.get('-n', namespace, 'lease', `${name}-plugin-sync-all-configmaps`)).spec.holderIdentity

/** The commands of the page as one script, which writes the number of its process. */
async function textOf(files: string, name: string): Promise<string> {
  const lines = commandsOf('standalone').map((line) =>
    line
      .replaceAll('my-vcluster', name)
      .replace(/[\w.]+\.kubeconfig/g, (file) => resolve(files, file))
      .replace(/^npm /, 'exec npm '),
  )
  return [`echo $$ >${join(files, 'pid')}`, ...lines].join('\n')
}

async function copies(vcluster: RealVCluster, name: string): Promise<void> {
  await eventually(() => vcluster.apply(configMap(name, name)))
  const copy = () => vcluster.host('configmap', `${name}-x-default-x-${vcluster.name}`)
  await until(async () => (await copy()).data.text === name)
}
