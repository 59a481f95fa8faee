import { sha256Hex } from '../../../engine/kube/concat-name.js'
import type { RevisionProgress, StoredRelease } from '../../release/stored-release.js'
import { idOf, type ReleaseObject } from '../objects/release-object.js'
import { isPending, wasDeployed } from '../run/revision-status.js'

/** The objects of revisions. */
export type ObjectsByRevision = ReadonlyMap<StoredRelease, readonly ReleaseObject[]>

/**
 * The objects that existed before an operation without belonging to the release, as its record stores them: digests of
 * their identities. `found` are all that exist; those of the deployed revision, and those that an earlier attempt made,
 * are left out.
 */
export function existingBefore(before: ObjectsByRevision, found: readonly ReleaseObject[]): string[] {
  const ours = [...before].filter(([revision]) => wasDeployed(revision) || isAttempt(revision))
  const known = new Set(ours.flatMap(([revision, objects]) => deletableOf(revision, objects).map(idOf)))
  return found.filter((object) => !known.has(idOf(object))).map(digestOf)
}

/** The objects that did not exist before an operation, by its record. */
function madeBy(written: RevisionProgress | undefined, objects: readonly ReleaseObject[]): ReleaseObject[] {
  // Users may edit the record.
  const existing = new Set(Array.isArray(written?.existing) ? written.existing : [])
  return existing.size === 0 ? [...objects] : objects.filter((object) => !existing.has(digestOf(object)))
}

/** The objects of a revision that the release may delete: before a deployment, those that it made. */
export const deletableOf = (revision: StoredRelease, objects: readonly ReleaseObject[]) =>
  wasDeployed(revision) ? objects : madeBy(revision.written, objects)

/** Whether a revision is an attempt of this SDK whose objects are still there. */
const isAttempt = (revision: StoredRelease) =>
  revision.written !== undefined &&
  revision.written.failed?.to !== 0 &&
  (isPending(revision) || revision.release.info.status === 'failed')

/** A short text for an object: a record of many objects must fit into an annotation. */
const digestOf = (object: ReleaseObject) => sha256Hex(idOf(object)).slice(0, 16)
