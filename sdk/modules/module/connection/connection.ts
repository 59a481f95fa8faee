import { PermanentError } from '../../../engine/kube/error.js'
import { formatKey, keyOf } from '../../../engine/kube/key.js'
import type { Module } from '../../kinds/module.js'
import type { Workspace } from '../../kinds/workspace.js'
import { kubeconfigCluster } from './kubeconfig-clusters.js'
import type { ModulesOptions } from './modules-options.js'
import type { NamespaceScope } from './namespace-scope.js'

/** The clusters that Workspaces may have. */
export interface KnownClusters {
  /** The name of the cluster that holds the Workspaces. */
  readonly home: string
  readonly names: readonly string[]
  /** Whether Workspaces may have a kubeconfig. */
  readonly hasKubeconfigs: boolean
  /** Whether Workspaces may have a vcluster of their own. */
  readonly hasManaged: boolean
  readonly references: NamespaceScope
}

/** The clusters that Workspaces may have, by the options of `moduleControllers`. */
export function knownClusters(
  { kubeconfigs = false, managed, references = 'same-namespace' }: ConnectionOptions,
  clusters: Pick<KnownClusters, 'home' | 'names'>,
): KnownClusters {
  return { ...clusters, hasKubeconfigs: kubeconfigs !== false, hasManaged: managed !== undefined, references }
}

/** The options that decide which clusters Workspaces may have. */
export type ConnectionOptions = Pick<ModulesOptions, 'kubeconfigs' | 'managed' | 'references'>

/** The cluster of a Workspace by its name in the operator. Throws a `PermanentError` if there is none. */
export function clusterOfWorkspace(
  { metadata, spec }: Pick<Workspace, 'metadata' | 'spec'>,
  { home, names, hasKubeconfigs, hasManaged, references }: KnownClusters,
): string {
  const { type, secretReference } = spec.connection
  const refusalError = (why: string) =>
    new PermanentError(`Workspace ${metadata.namespace}/${metadata.name}: ${why}`)
  if (spec.type === 'managed' && !hasManaged)
    throw refusalError(
      'this operator does not support the type managed: set managed in the options of moduleControllers',
    )
  if (spec.type === 'managed') return kubeconfigCluster(metadata)
  if (type === 'in-cluster' || type === 'local') return home
  if (type === 'kubeconfig' && !hasKubeconfigs)
    throw refusalError(
      'this operator does not support the connection kubeconfig: set kubeconfigs in the options of moduleControllers',
    )
  const isInOtherNamespace = secretReference && secretReference.namespace !== metadata.namespace
  if (type === 'kubeconfig' && isInOtherNamespace && references === 'same-namespace')
    throw refusalError(
      `its Secret ${formatKey(secretReference)} must be in the namespace ${metadata.namespace}: ${ownNamespace}`,
    )
  if (type === 'kubeconfig') return kubeconfigCluster(metadata)
  if (isHostOfTenants(type, home)) throw refusalError('a Workspace of a virtual cluster is not on its host')
  if (names.includes(type)) return type
  throw refusalError(`the operator has no cluster ${type}; it has ${names.join(', ')}`)
}

/** Whether a cluster is the host of a vcluster whose tenants write the Workspaces. Tenants must not use the host. */
export const isHostOfTenants = (cluster: string, home: string): boolean =>
  cluster === 'host' && home !== 'host'

/**
 * Throws a `PermanentError` unless a Module may use the cluster of a Workspace: users who may create Modules in one
 * namespace need not be allowed to use the credentials of another one.
 */
export function checkWorkspaceAccess(
  module: Pick<Module, 'metadata'>,
  workspace: Pick<Workspace, 'metadata'>,
  references: NamespaceScope,
): void {
  if (references === 'all-namespaces' || module.metadata.namespace === workspace.metadata.namespace) return
  throw new PermanentError(
    `Module ${formatKey(keyOf(module))}: Workspace ${formatKey(keyOf(workspace))} has a cluster of its own, which only Modules of ` +
      `its namespace may use: ${ownNamespace}`,
  )
}

const ownNamespace =
  'move one of them, or set references to all-namespaces in the options of moduleControllers'
