import { isConflict, isNotFound } from '../../engine/kube/error.js'
import { keyOf } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import { apiVersionOf } from '../../engine/kube/resource.js'
import type { Owner } from '../owner/owner.js'
import { claimsOn } from './claims.js'
import type { OwnedKind } from './owned-kind.js'

/**
 * Decides which owned objects a controller may delete if other controllers reconcile the same kind and own objects of
 * the same primaries. An object belongs to a controller if one of its field managers has written the owner reference or
 * the owner label. If another controller has applied the object, too, this one gives up its fields and keeps the
 * object. The controller that is left deletes it.
 *
 * Stores drop `managedFields`, so an object is read from the API server once after each of its changes. The only
 * controller of a kind has no `PruneScope`: every object of its primaries is its own.
 */
export class PruneScope {
  readonly #managers: readonly string[]
  /**
   * Cached objects that the controller must not delete. After a change the cache holds a new object, which is not in
   * the set, so it is read again.
   */
  readonly #notOwn = new WeakSet<KubeObject>()

  /** `managers` are the field manager of the controller and its former names. */
  constructor(managers: readonly string[]) {
    this.#managers = managers
  }

  /**
   * Whether the controller may delete a cached object. If another controller has applied it, too, this call gives up
   * the controller's own fields, which is a write.
   */
  async mayDelete(kind: OwnedKind, cached: KubeObject, owner: Owner): Promise<boolean> {
    if (this.#notOwn.has(cached)) return false
    const live = await read(kind, cached)
    if (!live) return false
    const isOwn = await this.mayDeleteLive(kind, live, owner)
    if (!isOwn) this.#notOwn.add(cached)
    return isOwn
  }

  /** Like {@link mayDelete}, for an object that was read from the API server. */
  async mayDeleteLive(kind: OwnedKind, live: KubeObject, owner: Owner): Promise<boolean> {
    const { ours, hasOthers } = claimsOn(live, { owner, managers: this.#managers })
    if (!hasOthers) return ours.length > 0
    const applied = ours.filter(({ operation }) => operation === 'Apply')
    for (const { manager = '' } of applied) this.#noteGivenUp(kind, await giveUpFields(kind, live, manager))
    return false
  }

  /** Saves a read of the object after its fields were given up, if the cache already holds it in this version. */
  #noteGivenUp({ cluster, resource }: OwnedKind, written: KubeObject | undefined): void {
    if (!written) return
    const cached = cluster.store(resource).get(keyOf(written))
    if (!cached || cached.metadata.resourceVersion !== written.metadata.resourceVersion) return
    this.#notOwn.add(cached)
  }
}

/** Reads the object from the API server; undefined if it is gone or another object has its name. */
async function read(kind: OwnedKind, { metadata }: KubeObject): Promise<KubeObject | undefined> {
  try {
    const live = await kind.cluster.client.get(kind.resource, keyOf({ metadata }))
    return live.metadata.uid === metadata.uid ? live : undefined
  } catch (error) {
    if (!isNotFound(error)) throw error
    return undefined
  }
}

/**
 * Removes the fields of a manager by applying an object without fields. The `resourceVersion` makes this fail if the
 * object has changed: if both controllers gave up their fields at the same time, neither would delete the object.
 */
async function giveUpFields(
  { cluster, resource }: OwnedKind,
  { metadata }: KubeObject,
  fieldManager: string,
): Promise<KubeObject | undefined> {
  const { name, namespace, uid, resourceVersion } = metadata
  const body = {
    apiVersion: apiVersionOf(resource),
    kind: resource.kind,
    metadata: { name, ...(namespace !== undefined && { namespace }), uid, resourceVersion },
  }
  try {
    return await cluster.client.patch(resource, keyOf({ metadata }), { type: 'apply', fieldManager, body })
  } catch (error) {
    // The object was changed or deleted, which runs the key again.
    if (!isConflict(error) && !isNotFound(error)) throw error
    return undefined
  }
}
