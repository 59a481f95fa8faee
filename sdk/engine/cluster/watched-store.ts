import type { Resource } from '../kube/resource.js'
import type { Store } from '../store/store.js'

/** A store and the watch that fills it. */
export interface WatchedStore<Name extends string = string> {
  /** The name of its cluster. */
  readonly cluster: Name
  readonly resource: Resource
  /** Undefined is all of them. */
  readonly namespace: string | undefined
  readonly store: Store
  /** How long the watch has been silent, in milliseconds. */
  readonly quietMs: number
  /** How many objects the first list will have; undefined while that is not known. */
  readonly expected: number | undefined
}
