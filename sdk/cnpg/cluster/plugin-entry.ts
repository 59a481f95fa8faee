import type { DeepReadonly } from '../../engine/kube/deep-readonly.js'
import type { ClusterPlugin, CnpgCluster } from './cluster.js'

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
 * The entry of a plugin: the first enabled one in `spec.plugins`, or else in `spec.externalClusters`, or else one that
 * is disabled; undefined if the Cluster does not name the plugin.
 *
 * @example
 * ```ts
 * const cluster: CnpgCluster = { metadata: { name: 'db' }, spec: { plugins: [{ name: 'hello.example.org' }] } }
 * console.log(pluginEntry(cluster, 'hello.example.org')?.path) // ['spec', 'plugins', '0', 'parameters']
 * ```
 */
export function pluginEntry(cluster: DeepReadonly<CnpgCluster>, name: string): PluginEntry | undefined {
  const used = usedPlugin(cluster, name)
  if (!used) return undefined
  const { enabled = true, isWALArchiver = false, parameters = {} } = used.plugin
  const path = [...used.path, 'parameters']
  return { isEnabled: enabled, isWalArchiver: isWALArchiver, parameters, path }
}

interface PluginAtPath<T> {
  readonly plugin: T
  readonly path: readonly string[]
}

/**
 * The entry that operators use: the object in the Cluster itself, so that a change of it changes the Cluster. A Cluster
 * may name a plugin several times; the first enabled entry counts, or the first entry if none is enabled.
 */
export function usedPlugin<C extends DeepReadonly<CnpgCluster>>(
  cluster: C,
  name: string,
): PluginAtPath<PluginOf<C>> | undefined {
  // The definition of Clusters is not checked here, so `spec` may be missing.
  const { plugins = [], externalClusters = [] } = (cluster as Partial<CnpgCluster>).spec ?? {}
  const all = [
    ...plugins.map((plugin, index) => ({ plugin, path: ['spec', 'plugins', String(index)] })),
    ...externalClusters.map(({ plugin }, index) => ({
      plugin,
      path: ['spec', 'externalClusters', String(index), 'plugin'],
    })),
  ]
  const entries = all.filter(({ plugin }) => plugin?.name === name)
  return (entries.find(({ plugin }) => plugin?.enabled !== false) ?? entries[0]) as
    | PluginAtPath<PluginOf<C>>
    | undefined
}

/** The type of an entry: writable if the Cluster is writable. */
type PluginOf<C> = C extends CnpgCluster ? ClusterPlugin : DeepReadonly<ClusterPlugin>
