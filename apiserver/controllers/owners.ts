import type { KubeObject, OwnerReference } from '../../sdk/kube/object.js'
import { parseApiVersion } from '../base/api-version.js'
import type { ServerParts } from '../server/context.js'
import { storageKey } from '../server/context.js'
import type { Change, Entry } from '../store/entry.js'

/** The collection and key of an object. */
export interface Place {
  readonly storage: string
  readonly key: string
}

/** An index from the UID of each owner to the objects that name it. */
export class OwnerIndex {
  readonly #dependents = new Map<string, Map<string, Place>>()

  /** Updates the index by a change of any object. */
  update(storage: string, { type, entry, previous }: Change): void {
    const place = { storage, key: entry.key }
    for (const { uid } of ownersOf(previous?.object)) this.#remove(uid, place)
    if (type === 'DELETED') return
    for (const { uid } of ownersOf(entry.object)) this.#add(uid, place)
  }

  dependentsOf(uid: string): Place[] {
    return [...(this.#dependents.get(uid)?.values() ?? [])]
  }

  #add(uid: string, place: Place): void {
    const places = this.#dependents.get(uid) ?? new Map<string, Place>()
    places.set(`${place.storage} ${place.key}`, place)
    this.#dependents.set(uid, places)
  }

  #remove(uid: string, place: Place): void {
    const places = this.#dependents.get(uid)
    places?.delete(`${place.storage} ${place.key}`)
    if (places?.size === 0) this.#dependents.delete(uid)
  }
}

/** The owner references of an object. */
export function ownersOf(object: KubeObject | undefined): readonly OwnerReference[] {
  return object?.metadata.ownerReferences ?? []
}

/** The owner of a reference, if it exists: in the dependent's namespace, or cluster-scoped. */
export function findOwner(
  { registry, store }: ServerParts,
  reference: OwnerReference,
  namespace: string,
): Entry | undefined {
  const { group, version } = parseApiVersion(reference.apiVersion)
  const resource = registry.findKind(group, version, reference.kind)
  if (resource === undefined) return undefined
  const key = storageKey(resource.namespaced ? namespace : '', reference.name)
  const entry = store.collection(resource.storage).get(key)
  return entry?.object.metadata.uid === reference.uid ? entry : undefined
}
