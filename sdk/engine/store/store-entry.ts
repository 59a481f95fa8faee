import type { KubeObject } from '../kube/object.js'
import type { Resource } from '../kube/resource.js'
import type { Store } from './store.js'

/** A kind and its store. */
export interface StoreEntry<T extends KubeObject = KubeObject> {
  readonly resource: Resource<T>
  readonly store: Store<T>
  /** The namespace that the store covers; `undefined` means all. */
  readonly namespace: string | undefined
  /** The number of objects in the first list; undefined while unknown. */
  readonly expected: number | undefined
}
