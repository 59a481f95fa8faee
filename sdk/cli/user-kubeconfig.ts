import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { type Kubeconfig, loadKubeconfig } from '../transport/kubeconfig.js'

/** Which kubeconfig a user means. */
export interface UserKubeconfigOptions {
  /** A file; default the first of `KUBECONFIG` that exists, else `~/.kube/config`, as kubectl has it. */
  kubeconfig?: string | undefined
  /** Default the file's `current-context`. */
  context?: string | undefined
}

/** The kubeconfig that kubectl would take. Throws `PluginError` `KUBECONFIG`. */
export function loadUserKubeconfig({ kubeconfig, context }: UserKubeconfigOptions): Promise<Kubeconfig> {
  const file = kubeconfig ?? fileOf(process.env.KUBECONFIG)
  return loadKubeconfig({ file, ...(context !== undefined && { context }) })
}

function fileOf(variable = ''): string {
  const files = variable.split(delimiter).filter((file) => file !== '')
  return files.find((file) => existsSync(file)) ?? files[0] ?? join(homedir(), '.kube', 'config')
}
