import { PluginError } from '../../engine/kube/error.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { Store } from '../../engine/store/store.js'

/** Adds an index to a cache, unless another controller has added it. */
export function ensureIndex<T extends KubeObject>(
  store: Store<T>,
  name: string,
  valuesOf: (object: T) => readonly string[],
): void {
  try {
    store.addIndex(name, valuesOf)
  } catch (error) {
    const isThere = error instanceof PluginError && error.code === 'DUPLICATE_INDEX'
    if (!isThere) throw error
  }
}
