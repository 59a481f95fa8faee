import { sha256Hex } from '../../../engine/kube/concat-name.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { StoredRelease } from '../../release/stored-release.js'
import {
  belongsTo,
  idOf,
  namesOwner,
  type ReleaseObject,
  type ReleaseOwner,
  refersTo,
} from '../objects/release-object.js'
import { wasDeployed } from '../run/revision-status.js'

/** The objects of revisions, the oldest revision first. */
export type ObjectsByRevision = ReadonlyMap<StoredRelease, readonly ReleaseObject[]>

/** An object that a release shall have, and that exists. */
export interface FoundObject {
  readonly object: ReleaseObject
  readonly live: KubeObject
}

/**
 * The objects that existed before an operation without belonging to the release, as its record stores them: digests of
 * their identities. Those of the deployed revision are left out, and those that an earlier attempt made: they name the
 * custom resource. If no record has an object, because another program deleted the record, only a reference to the
 * custom resource counts: annotations stay when a release gives an object back.
 */
function existingBefore(
  owner: Pick<ReleaseOwner, 'owner' | 'target'>,
  before: ObjectsByRevision,
  found: readonly FoundObject[],
): string[] {
  const claims = claimsOf(before)
  return found.filter((one) => !isOurs(owner, claims, one)).map(({ object }) => digestOf(object))
}

/** The objects that were there before an operation. */
export interface StateBefore {
  /** Digests of the identities of the objects that do not belong to the release. */
  readonly existing: readonly string[]
  /** Whether an object refers to the custom resource although no record has it. */
  readonly isReinstall: boolean
}

/** Compares the objects that exist before an operation with the records. */
export function stateBefore(
  owner: Pick<ReleaseOwner, 'owner' | 'target'>,
  before: ObjectsByRevision,
  found: readonly FoundObject[],
): StateBefore {
  const claims = claimsOf(before)
  const isUnrecorded = ({ object, live }: FoundObject) => !claims.has(idOf(object)) && refersTo(live, owner)
  return { existing: existingBefore(owner, before, found), isReinstall: found.some(isUnrecorded) }
}

/**
 * As {@link existingBefore}, for an object that was not there when the operation looked. One that names the custom
 * resource is of this operation: the answer of its write was lost.
 */
export function existingSince(
  owner: Pick<ReleaseOwner, 'owner' | 'target'>,
  before: ObjectsByRevision,
  found: FoundObject,
): string[] {
  return namesOwner(found.live, owner) ? [] : existingBefore(owner, before, [found])
}

/**
 * The objects that an operation may delete to make them again with other fields, as UIDs by their identities: those
 * that belong to the release before the operation, by a record and by their labels.
 */
export function replaceableIn(
  owner: ReleaseOwner,
  before: ObjectsByRevision,
  found: readonly FoundObject[],
): ReadonlyMap<string, string> {
  const claims = claimsOf(before)
  const ours = found.filter((one) => isOurs(owner, claims, one) && belongsTo(one.live, owner.release))
  return new Map(ours.map(({ object, live }) => [idOf(object), live.metadata.uid ?? '']))
}

/** The relation of an object to the revisions that have it: a deployed one has it, or the last attempt says so. */
type Claim = 'deployed' | 'made' | 'existing'

function claimsOf(before: ObjectsByRevision): Map<string, Claim> {
  const claims = new Map<string, Claim>()
  for (const [revision, objects] of before) {
    const deletable = new Set(deletableOf(revision, objects))
    for (const object of objects) {
      const claim = wasDeployed(revision) ? 'deployed' : deletable.has(object) ? 'made' : 'existing'
      if (claims.get(idOf(object)) !== 'deployed') claims.set(idOf(object), claim)
    }
  }
  return claims
}

function isOurs(
  owner: Pick<ReleaseOwner, 'owner' | 'target'>,
  claims: ReadonlyMap<string, Claim>,
  { object, live }: FoundObject,
): boolean {
  const claim = claims.get(idOf(object))
  if (claim === undefined) return refersTo(live, owner)
  return claim === 'deployed' || (claim === 'made' && namesOwner(live, owner))
}

/**
 * The objects of a revision that the release may delete: before a deployment, those that it made. Nothing is left of a
 * failed installation whose objects were deleted.
 */
export function deletableOf(
  revision: StoredRelease,
  objects: readonly ReleaseObject[],
): readonly ReleaseObject[] {
  if (wasDeployed(revision)) return objects
  const { failed, existing } = revision.written ?? {}
  if (failed?.to === 0) return []
  // Users may edit the record.
  const digests = new Set(Array.isArray(existing) ? existing : [])
  return digests.size === 0 ? objects : objects.filter((object) => !digests.has(digestOf(object)))
}

/** A short text for an object: a record of many objects must fit into an annotation. */
const digestOf = (object: ReleaseObject) => sha256Hex(idOf(object)).slice(0, 16)
