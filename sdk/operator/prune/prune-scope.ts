/**
 * Decides which objects a controller may delete, if it shares its kind with other controllers: they own objects of the
 * same primaries. An object is the controller's if its field manager has applied the owner reference or the owner
 * label. If others have applied the object, too, the controller gives up its fields, and the last controller deletes
 * the object.
 *
 * Stores drop `managedFields`, so the object is read once after each of its changes. A controller that shares nothing
 * does not need that: every object of its primaries is its own.
 */
import { isConflict, isNotFound } from '../../engine/kube/error.js'
import { keyOf } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import { apiVersionOf } from '../../engine/kube/resource.js'
import type { Owner } from '../owner/owner.js'
import { claimsOn } from './claims.js'
import type { OwnedKind } from './owned-kind.js'

/** The objects that one of several controllers of a kind may delete. */
export class PruneScope {
  readonly #managers: readonly string[]
  /** Objects of caches that others have applied. A changed object is another one. */
  readonly #ofOthers = new WeakSet<KubeObject>()

  /** `managers` are the field manager of the controller and its former names. */
  constructor(managers: readonly string[]) {
    this.#managers = managers
  }

  /** Whether the controller may delete an object of a cache. Gives up its fields if others need the object. */
  async mayDelete(kind: OwnedKind, cached: KubeObject, owner: Owner): Promise<boolean> {
    if (this.#ofOthers.has(cached)) return false
    const live = await read(kind, cached)
    if (!live) return false
    const isOwn = await this.mayDeleteLive(kind, live, owner)
    if (!isOwn) this.#ofOthers.add(cached)
    return isOwn
  }

  /** Like {@link mayDelete}, for an object that was read from the API server. */
  async mayDeleteLive(kind: OwnedKind, live: KubeObject, owner: Owner): Promise<boolean> {
    const { ours, hasOthers } = claimsOn(live, { owner, managers: this.#managers })
    if (!hasOthers) return ours.length > 0
    const applied = ours.filter(({ operation }) => operation === 'Apply')
    for (const { manager = '' } of applied) this.#noteOfOthers(kind, await giveUp(kind, live, manager))
    return false
  }

  /** Notes that the cached object is the answer to giving up its fields. */
  #noteOfOthers({ cluster, resource }: OwnedKind, answer: KubeObject | undefined): void {
    const cached = answer && cluster.store(resource).get(keyOf(answer))
    if (cached?.metadata.resourceVersion === answer?.metadata.resourceVersion && cached)
      this.#ofOthers.add(cached)
  }
}

async function read(kind: OwnedKind, { metadata }: KubeObject): Promise<KubeObject | undefined> {
  try {
    const live = await kind.cluster.client.get(kind.resource, keyOf({ metadata }))
    return live.metadata.uid === metadata.uid ? live : undefined
  } catch (error) {
    if (!isNotFound(error)) throw error
    return undefined
  }
}

/** Applies nothing, unless the object has changed: its other manager may give it up at the same time. */
async function giveUp(
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
    // The next change of the object runs the key again.
    if (!isConflict(error) && !isNotFound(error)) throw error
    return undefined
  }
}
