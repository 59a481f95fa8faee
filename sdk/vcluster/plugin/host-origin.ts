import type { WriteSort } from '../../engine/client/refused-circuit.js'
import type { Key } from '../../engine/kube/key.js'
import { formatKey } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import { formatResource, type Resource } from '../../engine/kube/resource.js'
import type { StoreEntry } from '../../engine/store/store-entry.js'
import { namespaceLabel } from '../naming/ownership-keys.js'

/**
 * The origin of an object of the host: the virtual namespace of its original, from the label that the translators
 * write, replacing any value of a user. An object without this label, such as a cluster-scoped copy, is its own origin.
 */
export function hostOriginOf(
  stores: () => readonly Pick<StoreEntry, 'resource' | 'store'>[],
): (write: WriteSort) => string {
  return ({ resource, key, object }) => {
    const written = virtualNamespaceOf(object) ?? virtualNamespaceOf(storedAt(stores(), resource, key))
    return written ?? `/${formatResource(resource)} ${formatKey(key)}`
  }
}

const virtualNamespaceOf = (object: KubeObject | undefined) => object?.metadata.labels?.[namespaceLabel]

/** The object in an existing store; no store is created for this. */
function storedAt(
  stores: readonly Pick<StoreEntry, 'resource' | 'store'>[],
  { group, plural }: Resource,
  key: Key,
): KubeObject | undefined {
  for (const { resource, store } of stores) {
    const original = resource.group === group && resource.plural === plural ? store.get(key) : undefined
    if (original) return original
  }
  return undefined
}
