import type { Given } from '../../kube/deep-readonly.js'
import type { Cluster, ClusterPlugin } from './cluster.js'

/** The entry of a plugin in a Cluster. */
export interface PluginEntry {
  readonly isEnabled: boolean
  readonly isWalArchiver: boolean
  /** Texts, as the Cluster has them. */
  readonly parameters: Readonly<Record<string, string>>
  /** The path of the parameters in the Cluster, for example `['spec', 'plugins', '0', 'parameters']`. */
  readonly path: readonly string[]
}

/**
 * The entry of a plugin in `spec.plugins`, or else in `spec.externalClusters`; undefined if the Cluster does not name it.
 *
 * @example
 * ```ts
 * const cluster: Cluster = { metadata: { name: 'db' }, spec: { plugins: [{ name: 'hello.example.org' }] } }
 * console.log(pluginEntry(cluster, 'hello.example.org')?.path) // ['spec', 'plugins', '0', 'parameters']
 * ```
 */
export function pluginEntry(cluster: Given<Cluster>, name: string): PluginEntry | undefined {
  // The definition of Clusters is not checked here, so `spec` may be missing.
  const { plugins = [], externalClusters = [] } = (cluster as Partial<Cluster>).spec ?? {}
  const at = plugins.findIndex((plugin) => plugin.name === name)
  const found = plugins[at]
  if (found) return entry(found, ['spec', 'plugins', String(at)])
  const external = externalClusters.findIndex(({ plugin }) => plugin?.name === name)
  const used = externalClusters[external]?.plugin
  return used && entry(used, ['spec', 'externalClusters', String(external), 'plugin'])
}

function entry(
  { enabled = true, isWALArchiver = false, parameters = {} }: ClusterPlugin,
  path: string[],
): PluginEntry {
  return { isEnabled: enabled, isWalArchiver: isWALArchiver, parameters, path: [...path, 'parameters'] }
}
