import { PermanentError } from '../../kube/error.js'
import type { Workspace } from '../kinds/workspace.js'
import { kubeconfigCluster } from './kubeconfig-clusters.js'

/** The clusters that Workspaces may have. */
export interface KnownClusters {
  /** The one that holds the Workspaces. */
  readonly home: string
  readonly names: readonly string[]
  /** Whether Workspaces may have a kubeconfig. */
  readonly hasKubeconfigs: boolean
}

/** The cluster of a Workspace by its name in the operator. Throws a `PermanentError` if there is none. */
export function clusterOfWorkspace(
  { metadata, spec }: Pick<Workspace, 'metadata' | 'spec'>,
  { home, names, hasKubeconfigs }: KnownClusters,
): string {
  const { type } = spec.connection
  const refuse = (why: string) =>
    new PermanentError(`Workspace ${metadata.namespace}/${metadata.name}: ${why}`)
  if (spec.type === 'managed') return kubeconfigCluster(metadata)
  if (type === 'in-cluster' || type === 'local') return home
  if (type === 'kubeconfig' && !hasKubeconfigs)
    throw refuse(
      'this operator does not support the connection kubeconfig: set kubeconfigs in the options of registerModules',
    )
  if (type === 'kubeconfig') return kubeconfigCluster(metadata)
  if (names.includes(type)) return type
  throw refuse(`the operator has no cluster ${type}; it has ${names.join(', ')}`)
}
