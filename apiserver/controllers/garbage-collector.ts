import type { OpenObject } from '../base/object.js'
import type { ServedResource } from '../resources/served-resource.js'
import type { ServerParts } from '../server/context.js'
import type { Change, Entry } from '../store/entry.js'
import { deleteEntry } from '../verbs/delete.js'
import { replaceObject } from '../verbs/update.js'
import { internalRequest } from './internal-request.js'
import { findOwner, OwnerIndex, ownersOf, type Place } from './owners.js'

const FOREGROUND = 'foregroundDeletion'
const ORPHAN = 'orphan'

/**
 * Deletes objects whose owners are all gone, and applies the propagation policy of deletes. See
 * https://kubernetes.io/docs/concepts/architecture/garbage-collection/
 */
export class GarbageCollector {
  readonly #server: ServerParts
  readonly #index = new OwnerIndex()

  constructor(server: ServerParts) {
    this.#server = server
  }

  /** Updates the index of owners; called for every change, before {@link follow}. */
  observe(storage: string, change: Change): void {
    this.#index.update(storage, change)
  }

  /** Whether any object names this UID as its owner. */
  owns(uid: string): boolean {
    return this.#index.dependentsOf(uid).length > 0
  }

  /** Acts on a change. */
  follow(storage: string, { type, entry }: Change): void {
    const { uid = '' } = entry.object.metadata
    if (type === 'DELETED') {
      for (const dependent of this.#index.dependentsOf(uid)) this.#check(dependent)
      for (const owner of ownersOf(entry.object)) this.#finishForeground(entry, owner.uid)
      return
    }
    if (ownersOf(entry.object).length > 0) this.#check({ storage, key: entry.key })
    const { deletionTimestamp, finalizers = [] } = entry.object.metadata
    if (deletionTimestamp === undefined) return
    if (finalizers.includes(ORPHAN)) this.#orphan({ storage, key: entry.key })
    else if (finalizers.includes(FOREGROUND)) this.#deleteInForeground({ storage, key: entry.key })
  }

  /** Deletes an object whose owners are all gone, or removes its references to those that are gone. */
  #check(place: Place): void {
    const entry = this.#entryAt(place)
    if (entry === undefined) return
    const owners = ownersOf(entry.object)
    const { namespace = '' } = entry.object.metadata
    const present = owners.filter((owner) => findOwner(this.#server, owner, namespace) !== undefined)
    if (owners.length === 0 || present.length === owners.length) return
    if (present.length > 0) this.#change(place, (metadata) => ({ ...metadata, ownerReferences: present }))
    else if (entry.object.metadata.deletionTimestamp === undefined) this.#delete(place, entry)
  }

  #orphan(place: Place): void {
    const { uid = '' } = this.#entryAt(place)?.object.metadata ?? {}
    for (const dependent of this.#index.dependentsOf(uid)) {
      this.#change(dependent, ({ ownerReferences = [], ...metadata }) => {
        const others = ownerReferences.filter((owner) => owner.uid !== uid)
        return others.length === 0 ? metadata : { ...metadata, ownerReferences: others }
      })
    }
    this.#dropFinalizer(place, ORPHAN)
  }

  #deleteInForeground(place: Place): void {
    const { uid = '' } = this.#entryAt(place)?.object.metadata ?? {}
    const dependents = this.#index.dependentsOf(uid)
    for (const dependent of dependents) {
      const entry = this.#entryAt(dependent)
      if (entry !== undefined && entry.object.metadata.deletionTimestamp === undefined) {
        this.#delete(dependent, entry)
      }
    }
    if (!this.#isBlocked(uid)) this.#dropFinalizer(place, FOREGROUND)
  }

  #isBlocked(uid: string): boolean {
    return this.#index.dependentsOf(uid).some((dependent) => {
      const owners = ownersOf(this.#entryAt(dependent)?.object)
      return owners.some((owner) => owner.uid === uid && owner.blockOwnerDeletion === true)
    })
  }

  /** Continues the deletion of owners that waited for a deleted dependent. */
  #finishForeground(dependent: Entry, ownerUid: string): void {
    const { namespace = '' } = dependent.object.metadata
    const reference = ownersOf(dependent.object).find(({ uid }) => uid === ownerUid)
    const owner = reference && findOwner(this.#server, reference, namespace)
    if (owner === undefined || !owner.object.metadata.finalizers?.includes(FOREGROUND)) return
    const resource = this.#resources().find(
      ({ storage }) => this.#server.store.collection(storage).get(owner.key) === owner,
    )
    if (resource !== undefined && !this.#isBlocked(ownerUid)) {
      this.#dropFinalizer({ storage: resource.storage, key: owner.key }, FOREGROUND)
    }
  }

  #dropFinalizer(place: Place, finalizer: string): void {
    this.#change(place, (metadata) => {
      const finalizers = (metadata.finalizers ?? []).filter((each) => each !== finalizer)
      return { ...metadata, finalizers }
    })
  }

  #resources(): ServedResource[] {
    return this.#server.registry.stored()
  }

  #entryAt({ storage, key }: Place): Entry | undefined {
    return this.#server.store.collection(storage).get(key)
  }

  #delete(place: Place, entry: Entry): void {
    const request = this.#requestFor(place, entry)
    if (request !== undefined) deleteEntry(request, entry, { dryRun: false, propagation: 'Background' })
  }

  #change(place: Place, change: (metadata: OpenObject['metadata']) => OpenObject['metadata']): void {
    const old = this.#entryAt(place)
    const request = old && this.#requestFor(place, old)
    if (old === undefined || request === undefined) return
    const metadata = change({ ...old.object.metadata })
    if (metadata.finalizers?.length === 0) delete metadata.finalizers
    replaceObject(request, { old, next: { ...old.object, metadata } as OpenObject, dryRun: false })
  }

  #requestFor({ storage }: Place, { object }: Entry) {
    const resource = this.#resources().find((each) => each.storage === storage)
    if (resource === undefined) return undefined
    const { namespace = '', name = '' } = object.metadata
    return internalRequest(this.#server, { resource, namespace, name })
  }
}
