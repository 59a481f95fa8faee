import { join } from 'node:path'
import { PluginError } from '../../sdk/engine/kube/error.js'
import { makeFolder } from '../machine/make-folder.js'
import { writePrivate } from '../machine/write-private.js'

/** The kubeconfigs of both clusters: paths of files, or texts. */
export interface KubeconfigFiles {
  virtual: string
  host: string
}

/**
 * Writes `virtual.kubeconfig` and `host.kubeconfig` to `dir`. Only their owner can read them, because they contain
 * private keys. Throws a `PluginError` `CANNOT_WRITE`.
 */
export async function writeKubeconfigs(
  dir: string,
  { virtual, host }: KubeconfigFiles,
): Promise<KubeconfigFiles> {
  const [virtualFile, hostFile] = await Promise.all([
    writeKubeconfig(dir, 'virtual', virtual),
    writeKubeconfig(dir, 'host', host),
  ])
  return { virtual: virtualFile, host: hostFile }
}

/** Writes the kubeconfig of one cluster as `<side>.kubeconfig`; see {@link writeKubeconfigs}. */
export async function writeKubeconfig(dir: string, side: string, text: string): Promise<string> {
  try {
    await makeFolder(dir)
    return await writePrivate(join(dir, `${side}.kubeconfig`), text)
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause)
    const message = `cannot write the kubeconfigs to ${dir}: ${problem}`
    throw new PluginError('CANNOT_WRITE', message, { cause })
  }
}
