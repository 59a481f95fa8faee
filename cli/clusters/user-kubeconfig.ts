import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { Kubeconfig } from '../../sdk/engine/transport/kubeconfig.js'
import { loadKubeconfig } from '../../sdk/engine/transport/load-kubeconfig.js'

/** A user's choice of kubeconfig and context. */
export interface UserKubeconfigOptions {
  /** A file; default as for kubectl: the first existing file of `KUBECONFIG`, or `~/.kube/config`. */
  kubeconfig?: string | undefined
  /** Default the file's `current-context`. */
  context?: string | undefined
}

/** Loads the kubeconfig that kubectl would use. Throws `PluginError` `KUBECONFIG`. */
export function loadUserKubeconfig({ kubeconfig, context }: UserKubeconfigOptions): Promise<Kubeconfig> {
  const file = kubeconfig ?? userKubeconfigFile()
  return loadKubeconfig({ file, ...(context !== undefined && { context }) })
}

/** The file that kubectl would use; of several files, the first that exists. */
export function userKubeconfigFile(): string {
  const files = (process.env.KUBECONFIG ?? '').split(delimiter).filter((file) => file !== '')
  return files.find((file) => existsSync(file)) ?? files[0] ?? join(homedir(), '.kube', 'config')
}
