import type { Cluster } from '../../../engine/cluster/cluster.js'
import type { Resource } from '../../../engine/kube/resource.js'

/** An object, or all objects of a kind in a namespace, that a template looked up. */
export interface LookedUp {
  readonly cluster: Cluster
  readonly resource: Resource
  /** `''` for all, and for a kind without namespaces. */
  readonly namespace: string
  /** `''` for all. */
  readonly name: string
}
