import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PluginError } from '../../sdk/kube/error.js'
import { makeFolder } from '../machine/make-folder.js'

/** Where the kubeconfigs of both clusters are. */
export interface KubeconfigFiles {
  virtual: string
  host: string
}

/**
 * Writes `virtual.kubeconfig` and `host.kubeconfig` into `dir`, for their owner alone to read: they carry
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

/** The same for one of them. */
export async function writeKubeconfig(
  dir: string,
  side: keyof KubeconfigFiles,
  text: string,
): Promise<string> {
  try {
    await makeFolder(dir)
    return await writePrivate(join(dir, `${side}.kubeconfig`), text)
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause)
    const message = `cannot write the kubeconfigs to ${dir}: ${problem}`
    throw new PluginError('CANNOT_WRITE', message, { cause })
  }
}

/** A mode counts for new files only, and nobody may read half a file. */
async function writePrivate(file: string, text: string): Promise<string> {
  const fresh = `${file}.${process.pid}`
  await writeFile(fresh, text, { mode: 0o600 })
  await rename(fresh, file)
  return file
}
