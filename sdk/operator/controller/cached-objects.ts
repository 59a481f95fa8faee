import type { Key } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { Store } from '../../engine/store/store.js'
import { ensureIndex } from '../owner/ensure-index.js'

/**
 * The cached objects of a kind that a controller owns, watches or is made for. The objects are shared: they are frozen.
 *
 * @example
 * ```ts
 * const mine = ctx.store(pods).byLabel('backup', backup.metadata.name, backup.metadata.namespace)
 * ctx.status.nodes = mine.map((pod) => pod.metadata.name ?? '').sort()
 * ```
 */
export interface CachedObjects<T extends KubeObject> {
  /** The object with this key. */
  get(key: Key): T | undefined
  /** All objects, or those of one namespace. It iterates over all objects. */
  list(namespace?: string): readonly T[]
  /** The objects that have a label with this value, in one namespace or in all; by an index. */
  byLabel(label: string, value: string | undefined, namespace?: string): readonly T[]
}

/** Reads a store for one run. */
export class StoredCachedObjects<T extends KubeObject> implements CachedObjects<T> {
  readonly #store: Store<T>

  constructor(store: Store<T>) {
    this.#store = store
  }

  get(key: Key): T | undefined {
    return this.#store.get(key)
  }

  list(namespace?: string): readonly T[] {
    return this.#store.list(namespace)
  }

  /** The first call for a label adds the index. */
  byLabel(label: string, value: string | undefined, namespace?: string): readonly T[] {
    if (value === undefined) return []
    const index = `operator/label ${label}`
    ensureIndex(this.#store, index, ({ metadata }) => {
      const labelValue = metadata.labels?.[label]
      return labelValue === undefined ? [] : [labelValue]
    })
    const objects = this.#store.byIndex(index, value)
    return namespace === undefined
      ? objects
      : objects.filter(({ metadata }) => metadata.namespace === namespace)
  }
}
