import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { type Kubeconfig, loadKubeconfig } from '../../sdk/transport/kubeconfig.js'

/** Which kubeconfig a user means. */
export interface UserKubeconfigOptions {
  /** A file; default the first of `KUBECONFIG` that exists, else `~/.kube/config`, as kubectl has it. */
  kubeconfig?: string | undefined
  /** Default the file's `current-context`. */
  context?: string | undefined
}

/** The kubeconfig that kubectl would take. Throws `PluginError` `KUBECONFIG`. */
export function loadUserKubeconfig({ kubeconfig, context }: UserKubeconfigOptions): Promise<Kubeconfig> {
  const file = kubeconfig ?? userKubeconfigFile()
  return loadKubeconfig({ file, ...(context !== undefined && { context }) })
}

/** The file that kubectl would take, of several the first that exists. */
export function userKubeconfigFile(): string {
  const files = (process.env.KUBECONFIG ?? '').split(delimiter).filter((file) => file !== '')
  return files.find((file) => existsSync(file)) ?? files[0] ?? join(homedir(), '.kube', 'config')
}
