import type { Resource } from '../kube/resource.js'
import type { Store } from '../store/store.js'

/** A store and the watch that fills it, as probes, webhooks and the inspector see it. */
export interface WatchedStore<Name extends string = string> {
  /** The name of its cluster. */
  readonly cluster: Name
  readonly resource: Resource
  /** The watched namespace; undefined means all namespaces. */
  readonly namespace: string | undefined
  readonly store: Store
  /** How long the watch has been silent, in milliseconds. */
  readonly quietMs: number
  /** The expected number of objects in the first list; undefined while it is unknown. */
  readonly expected: number | undefined
}
