import type { ClusterPermission } from './lazy-cluster-client.js'
import type { RegisteredHooks } from './services/registered-hooks.js'

/** The description of a plugin for CloudNativePG, printed as JSON for `vcluster-plugin manifest`. */
export interface CnpgPluginDescription {
  readonly kind: 'CnpgPluginDescription'
  readonly name: string
  readonly version: string
  readonly stopDeadlineMs: number
  /** The permissions of the plugin in the cluster; default none. */
  readonly permissions?: readonly ClusterPermission[]
  /** The admission webhooks of the plugin. */
  readonly has: { readonly default: boolean; readonly validate: boolean }
}

/** Describes a plugin. */
export function describeCnpgPlugin<P>(
  { metadata, cluster, hasParameters }: RegisteredHooks<P>,
  options: Pick<CnpgPluginDescription, 'stopDeadlineMs' | 'permissions'>,
): CnpgPluginDescription {
  const { name, version } = metadata
  const hooks = [cluster.validateCreate, cluster.validateChange]
  const validate = hasParameters || hooks.some((hook) => hook !== undefined)
  const has = { default: cluster.default !== undefined, validate }
  return { kind: 'CnpgPluginDescription', name, version, ...options, has }
}
