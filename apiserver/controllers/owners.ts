import type { KubeObject, OwnerReference } from '../../sdk/engine/kube/object.js'
import { parseApiVersion } from '../base/api-version.js'
import type { ServedResource } from '../resources/served-resource.js'
import type { ServerParts } from '../server/context.js'
import { storageKey } from '../server/context.js'
import type { Change, Entry } from '../store/entry.js'

/** The collection and key of an object. */
export interface ObjectRef {
  readonly storage: string
  readonly key: string
}

/** An index from the UID of each owner to the objects that name it, and from each UID to its collection. */
export class OwnerIndex {
  readonly #dependents = new Map<string, Map<string, ObjectRef>>()
  readonly #storages = new Map<string, string>()

  /** Updates the index by a change of any object. */
  update(storage: string, { type, entry, previous }: Change): void {
    const ref = { storage, key: entry.key }
    const { uid: ownUid = '' } = entry.object.metadata
    for (const { uid } of ownersOf(previous?.object)) this.#remove(uid, ref)
    if (type === 'DELETED') {
      this.#storages.delete(ownUid)
      return
    }
    this.#storages.set(ownUid, storage)
    for (const { uid } of ownersOf(entry.object)) this.#add(uid, ref)
  }

  dependentsOf(uid: string): ObjectRef[] {
    return [...(this.#dependents.get(uid)?.values() ?? [])]
  }

  /** Whether a collection has an object with this UID, in any namespace. */
  has(storage: string, uid: string): boolean {
    return this.#storages.get(uid) === storage
  }

  #add(uid: string, ref: ObjectRef): void {
    const refs = this.#dependents.get(uid) ?? new Map<string, ObjectRef>()
    refs.set(`${ref.storage} ${ref.key}`, ref)
    this.#dependents.set(uid, refs)
  }

  #remove(uid: string, ref: ObjectRef): void {
    const refs = this.#dependents.get(uid)
    refs?.delete(`${ref.storage} ${ref.key}`)
    if (refs?.size === 0) this.#dependents.delete(uid)
  }
}

/** The owner references of an object. */
export function ownersOf(object: KubeObject | undefined): readonly OwnerReference[] {
  return object?.metadata.ownerReferences ?? []
}

/** The owners that a change of a dependent unblocks: the reference is gone, or it no longer blocks. */
export function unblockedOwners(entry: Entry, previous: Entry | undefined): readonly OwnerReference[] {
  const blocking = new Set(blockingOwners(entry.object).map(({ uid }) => uid))
  return blockingOwners(previous?.object).filter(({ uid }) => !blocking.has(uid))
}

const blockingOwners = (object: KubeObject | undefined) =>
  ownersOf(object).filter((owner) => owner.blockOwnerDeletion === true)

/** The state of an owner reference for the collector. */
export type OwnerState = 'present' | 'waiting' | 'missing' | 'unresolvable'

/** The finalizer of an object that waits for its dependents. */
export const foreground = 'foregroundDeletion'

/** Whether an object is being deleted after its dependents. */
export function isWaiting({ object: { metadata } }: Entry): boolean {
  return metadata.deletionTimestamp !== undefined && metadata.finalizers?.includes(foreground) === true
}

/**
 * The state of a reference of an object in `namespace`. An owner of a kind that is not served, or a
 * namespaced owner of a cluster-scoped object, cannot be resolved, and its dependent is kept.
 */
export function ownerState(server: ServerParts, reference: OwnerReference, namespace: string): OwnerState {
  const resource = resourceOf(server, reference)
  if (resource === undefined || (resource.namespaced && namespace === '')) return 'unresolvable'
  const owner = findOwner(server, reference, namespace)
  if (owner === undefined) return 'missing'
  return isWaiting(owner) ? 'waiting' : 'present'
}

/** Whether the owner of a reference exists only in another namespace than its dependent. */
export function isInOtherNamespace(
  server: ServerParts,
  index: OwnerIndex,
  { reference, namespace }: { reference: OwnerReference; namespace: string },
): boolean {
  const resource = resourceOf(server, reference)
  if (resource?.namespaced !== true || !index.has(resource.storage, reference.uid)) return false
  return findOwner(server, reference, namespace) === undefined
}

/** The owner of a reference, if it exists: in the dependent's namespace, or cluster-scoped. */
function findOwner(server: ServerParts, reference: OwnerReference, namespace: string): Entry | undefined {
  const resource = resourceOf(server, reference)
  if (resource === undefined) return undefined
  const key = storageKey(resource.namespaced ? namespace : '', reference.name)
  const entry = server.store.collection(resource.storage).get(key)
  return entry?.object.metadata.uid === reference.uid ? entry : undefined
}

function resourceOf(
  { registry }: ServerParts,
  { apiVersion, kind }: OwnerReference,
): ServedResource | undefined {
  const { group, version } = parseApiVersion(apiVersion)
  return registry.findKind(group, version, kind)
}

/** The collection and key of a reference's owner, if it exists. */
export function refOfOwner(
  server: ServerParts,
  reference: OwnerReference,
  namespace: string,
): ObjectRef | undefined {
  const owner = findOwner(server, reference, namespace)
  const resource = resourceOf(server, reference)
  return owner && resource && { storage: resource.storage, key: owner.key }
}
