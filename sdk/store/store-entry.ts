import type { KubeObject } from '../kube/object.js'
import type { Resource } from '../kube/resource.js'
import type { Store } from './store.js'

/** A kind that somebody asked for, and its store. */
export interface StoreEntry<T extends KubeObject = KubeObject> {
  readonly resource: Resource<T>
  readonly store: Store<T>
  /** The namespace it covers; `undefined` is all of them. */
  readonly namespace: string | undefined
  /** How many objects the first list will have; undefined while that is not known. */
  readonly expected: number | undefined
}
