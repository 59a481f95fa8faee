import { PluginError } from '../../kube/error.js'
import type { KubeObject } from '../../kube/object.js'
import type { Store } from '../../store/store.js'

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
