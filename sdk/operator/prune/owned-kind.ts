import type { Cluster } from '../../engine/cluster/cluster.js'
import type { Resource } from '../../engine/kube/resource.js'

/** A kind whose objects a controller owns, in one cluster. */
export interface OwnedKind {
  readonly cluster: Cluster
  readonly resource: Resource
}
