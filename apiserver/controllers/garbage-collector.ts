import { isDeepStrictEqual } from 'node:util'
import type { OwnerReference } from '../../sdk/engine/kube/object.js'
import type { OpenObject } from '../base/object.js'
import type { ServerParts } from '../server/context.js'
import type { Change, Entry } from '../store/entry.js'
import { deleteEntry } from '../verbs/delete.js'
import type { DeleteOptions } from '../verbs/delete-options.js'
import { replaceObject } from '../verbs/update.js'
import { internalRequest } from './internal-request.js'
import { reportOwner } from './owner-events.js'
import {
  foreground,
  isInOtherNamespace,
  isWaiting,
  type ObjectRef,
  OwnerIndex,
  type OwnerState,
  ownerState,
  ownersOf,
  refOfOwner,
  unblockedOwners,
} from './owners.js'

const orphan = 'orphan'

/**
 * Deletes objects whose owners are all gone, and applies the propagation policy of deletes. Follows
 * `pkg/controller/garbagecollector` of Kubernetes v1.36.3. See
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
  follow(storage: string, { type, entry, previous }: Change): void {
    const { uid = '', deletionTimestamp, finalizers = [] } = entry.object.metadata
    if (type === 'DELETED') {
      for (const dependent of this.#index.dependentsOf(uid)) this.#collect(dependent)
      for (const owner of ownersOf(entry.object)) this.#continueOwner(entry, owner)
      return
    }
    const ref = { storage, key: entry.key }
    const owners = ownersOf(entry.object)
    if (!isDeepStrictEqual(owners, ownersOf(previous?.object))) this.#reportElsewhere(ref, entry)
    if (this.#statesOf(entry).includes('missing')) this.#collect(ref)
    for (const owner of unblockedOwners(entry, previous)) this.#continueOwner(entry, owner)
    if (deletionTimestamp === undefined) return
    if (finalizers.includes(orphan)) this.#orphan(ref)
    else if (isWaiting(entry)) this.#deleteDependents(ref, previous === undefined || !isWaiting(previous))
  }

  #statesOf(entry: Entry): readonly OwnerState[] {
    const { namespace = '' } = entry.object.metadata
    return ownersOf(entry.object).map((owner) => ownerState(this.#server, owner, namespace))
  }

  /**
   * Deletes an object without existing owners, or removes its references to owners that are gone or wait for
   * it.
   */
  #collect(ref: ObjectRef): void {
    const entry = this.#entryAt(ref)
    if (entry === undefined || entry.object.metadata.deletionTimestamp !== undefined) return
    const owners = ownersOf(entry.object)
    const states = this.#statesOf(entry)
    if (owners.length === 0 || states.includes('unresolvable')) return
    if (!states.includes('present')) this.#delete(ref, entry, states)
    else if (states.some((state) => state !== 'present')) {
      const present = owners.filter((_, index) => states[index] === 'present')
      this.#change(ref, (metadata) => ({ ...metadata, ownerReferences: present }))
    }
  }

  #delete(ref: ObjectRef, entry: Entry, states: readonly OwnerState[]): void {
    const { uid = '', finalizers = [] } = entry.object.metadata
    if (states.includes('waiting') && this.owns(uid)) {
      if (this.#hasWaitingDependent(uid)) this.#unblock(ref)
      this.#deleteBy(ref, 'Foreground')
    } else if (finalizers.includes(orphan)) this.#deleteBy(ref, 'Orphan')
    else this.#deleteBy(ref, finalizers.includes(foreground) ? 'Foreground' : 'Background')
  }

  #hasWaitingDependent(uid: string): boolean {
    return this.#index.dependentsOf(uid).some((dependent) => {
      const entry = this.#entryAt(dependent)
      return entry !== undefined && isWaiting(entry)
    })
  }

  /** Unblocks owners that wait for each other in a cycle. */
  #unblock(ref: ObjectRef): void {
    this.#change(ref, ({ ownerReferences = [], ...metadata }) => ({
      ...metadata,
      ownerReferences: ownerReferences.map((owner) => ({ ...owner, blockOwnerDeletion: false })),
    }))
  }

  #orphan(ref: ObjectRef): void {
    const { uid = '' } = this.#entryAt(ref)?.object.metadata ?? {}
    for (const dependent of this.#index.dependentsOf(uid)) {
      this.#change(dependent, ({ ownerReferences = [], ...metadata }) => {
        const others = ownerReferences.filter((owner) => owner.uid !== uid)
        return others.length === 0 ? metadata : { ...metadata, ownerReferences: others }
      })
    }
    this.#dropFinalizer(ref, orphan)
  }

  /**
   * Deletes dependents before their owner: all of them when the deletion starts, later only those that block
   * it.
   */
  #deleteDependents(ref: ObjectRef, begins: boolean): void {
    const { uid = '' } = this.#entryAt(ref)?.object.metadata ?? {}
    for (const dependent of begins ? this.#index.dependentsOf(uid) : this.#blocking(uid))
      this.#collect(dependent)
    if (this.#blocking(uid).length === 0) this.#dropFinalizer(ref, foreground)
  }

  #blocking(uid: string): readonly ObjectRef[] {
    return this.#index.dependentsOf(uid).filter((dependent) => {
      const owners = ownersOf(this.#entryAt(dependent)?.object)
      return owners.some((owner) => owner.uid === uid && owner.blockOwnerDeletion === true)
    })
  }

  /** Continues the deletion of an owner that waited for a dependent, which is deleted or no longer blocks it. */
  #continueOwner(dependent: Entry, reference: OwnerReference): void {
    const { namespace = '' } = dependent.object.metadata
    const ref = refOfOwner(this.#server, reference, namespace)
    const owner = ref && this.#entryAt(ref)
    if (ref !== undefined && owner !== undefined && isWaiting(owner)) this.#deleteDependents(ref, false)
  }

  #reportElsewhere({ storage }: ObjectRef, entry: Entry): void {
    const { namespace = '' } = entry.object.metadata
    const resource = this.#resourceOf(storage)
    const owner = ownersOf(entry.object).find((reference) =>
      isInOtherNamespace(this.#server, this.#index, { reference, namespace }),
    )
    if (owner !== undefined && resource !== undefined) reportOwner(this.#server, { resource, entry, owner })
  }

  #dropFinalizer(ref: ObjectRef, finalizer: string): void {
    this.#change(ref, (metadata) => {
      const finalizers = (metadata.finalizers ?? []).filter((each) => each !== finalizer)
      return { ...metadata, finalizers }
    })
  }

  #resourceOf(storage: string) {
    return this.#server.registry.stored().find((each) => each.storage === storage)
  }

  #entryAt({ storage, key }: ObjectRef): Entry | undefined {
    return this.#server.store.collection(storage).get(key)
  }

  #deleteBy(ref: ObjectRef, propagation: DeleteOptions['propagation'] & string): void {
    const entry = this.#entryAt(ref)
    const request = entry && this.#requestFor(ref, entry)
    if (entry === undefined || request === undefined) return
    deleteEntry(request, entry, { dryRun: false, propagation })
  }

  #change(ref: ObjectRef, change: (metadata: OpenObject['metadata']) => OpenObject['metadata']): void {
    const old = this.#entryAt(ref)
    const request = old && this.#requestFor(ref, old)
    if (old === undefined || request === undefined) return
    const metadata = change({ ...old.object.metadata })
    if (metadata.finalizers?.length === 0) delete metadata.finalizers
    replaceObject(request, { old, next: { ...old.object, metadata } as OpenObject, dryRun: false })
  }

  #requestFor({ storage }: ObjectRef, { object, version }: Entry) {
    const current = this.#resourceOf(storage)
    if (current === undefined) return undefined
    const { group, plural } = current
    // An object that is stored in a former version is changed in that version.
    const former = version === undefined ? undefined : this.#server.registry.find(group, version, plural)
    const resource = former ?? current
    const { namespace = '', name = '' } = object.metadata
    return internalRequest(this.#server, { resource, namespace, name })
  }
}
