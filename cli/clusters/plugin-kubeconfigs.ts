import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DevClusters } from './clusters.js'
import { type KubeconfigFiles, writeKubeconfigs } from './kubeconfigs.js'

/** Writes the plugin's kubeconfigs to files that are deleted when this process exits. */
export async function writePluginKubeconfigs({ virtual, host }: DevClusters): Promise<KubeconfigFiles> {
  const folder = await mkdtemp(join(tmpdir(), 'vcluster-plugin-dev-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return writeKubeconfigs(folder, { virtual: virtual.pluginKubeconfig, host: host.pluginKubeconfig })
}
