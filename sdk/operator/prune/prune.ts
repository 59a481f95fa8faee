import { isConflict } from '../../engine/kube/error.js'
import { keyOf } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { Logger } from '../../engine/observe/logger.js'
import { placeId } from '../apply/apply-request.js'
import { remove } from '../apply/remove.js'
import type { Owner } from '../owner/owner.js'
import { ownedBy } from '../owner/owner-index.js'
import type { OwnedKind } from './owned-kind.js'
import type { PruneScope } from './prune-scope.js'

/** Options of {@link prune}. */
export interface PruneOptions {
  owner: Owner
  /** The kinds whose objects are pruned; their caches hold the first lists. */
  kinds: readonly OwnedKind[]
  /** The objects that stay, by {@link placeId}. */
  applied: ReadonlySet<string>
  /** Whether an object may be pruned at all. */
  isIncluded: (kind: OwnedKind, object: KubeObject) => boolean
  /** Decides about each object, if other controllers own objects of the same owner; undefined if there are none. */
  scope: PruneScope | undefined
  /** Called with the {@link placeId} of each object that the controller does not apply any more. */
  forget: (id: string) => void
  logger: Logger
}

/**
 * Deletes the objects of an owner that the run did not apply, except those with the annotation `<group>/keep: "true"`.
 * Each delete names the UID and the revision that was read, so that it never meets another object.
 */
export async function prune(options: PruneOptions): Promise<void> {
  const { owner, kinds, applied, isIncluded, scope, forget, logger } = options
  for (const kind of kinds) {
    const left = ownedBy(kind, owner).filter((object) => !applied.has(placeId(kind, keyOf(object))))
    for (const object of left) {
      if (object.metadata.deletionTimestamp || hasKeepAnnotation(object, owner) || !isIncluded(kind, object))
        continue
      const id = placeId(kind, keyOf(object))
      const isOwn = !scope || (await scope.mayDelete(kind, object, owner))
      if (isOwn) await removeUnlessChanged(kind, object)
      forget(id)
      if (isOwn) logger.info({ object: id }, 'an object that is not wanted any more was deleted')
    }
  }
}

/** Whether a person has released an owned object from its owner. */
export function hasKeepAnnotation({ metadata }: KubeObject, { resource }: Owner): boolean {
  return metadata.annotations?.[`${resource.group || 'core'}/keep`] === 'true'
}

async function removeUnlessChanged(kind: OwnedKind, object: KubeObject): Promise<void> {
  try {
    await remove(kind, object)
  } catch (error) {
    // The next change of the object runs the key again.
    if (!isConflict(error)) throw error
  }
}
