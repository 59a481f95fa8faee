import type { Selectors } from '../../engine/store/selectors.js'
import type { StoreScope } from '../../engine/store/store.js'

/**
 * The objects of a kind that a controller sees. It has no cache of other objects, and they run no keys. The API server
 * decides what is selected, so objects that are not selected cost nothing.
 */
export interface Scope extends Selectors {
  /**
   * Only these namespaces, each with a watch and a Role of its own. Default for a controller all that the program sees,
   * and for the other kinds in its cluster those of the controller. Kinds without a namespace ignore it.
   */
  namespaces?: readonly string[]
}

/** The scope of a kind in a cluster, with its defaults. */
export interface KindScope extends Scope {
  /** The caches hold the metadata of the objects alone; default false. */
  metadataOnly?: boolean
}

/** The scopes of the stores that together hold the objects of a scope: one store for each namespace. */
export function storeScopes({ namespaces, ...scope }: KindScope, namespaced: boolean): readonly StoreScope[] {
  if (namespaces === undefined || !namespaced) return [scope]
  return namespaces.map((namespace) => ({ ...scope, namespace }))
}

/** Whether a scope selects only some objects of its namespaces. */
export function isSelective({ labelSelector, fieldSelector }: Scope): boolean {
  return Boolean(labelSelector || fieldSelector)
}

/** The parts of a scope that are set; in one order, so that equal scopes have equal texts. */
export function scopeOf({ namespaces, labelSelector, fieldSelector, metadataOnly }: KindScope): KindScope {
  return {
    ...(namespaces && { namespaces: [...new Set(namespaces)].sort() }),
    ...(labelSelector && { labelSelector }),
    ...(fieldSelector && { fieldSelector }),
    ...(metadataOnly && { metadataOnly }),
  }
}
