import { isForbidden } from '../../engine/kube/error.js'
import { formatKey } from '../../engine/kube/key.js'
import type { Release } from '../release/release.js'
import type { StoredRelease } from '../release/stored-release.js'
import { UnreadableReleaseError } from '../release/unreadable-release.js'
import { belongsTo, idOf, messageAbout, type ReleaseObject } from './objects/release-object.js'
import { ApiUnavailableError } from './problem/api-unavailable.js'
import { placedIfServed } from './run/placed-if-served.js'
import type { ReleaseRun } from './run/release-run.js'

/** Called with a problem that leaves a reference where it is. */
type Note = (message: string) => void

/**
 * Removes a custom resource as the owner of its release: from the objects, which would be deleted with it, and then
 * from the stored revisions. Called when a custom resource leaves the selector but its release shall stay: without an
 * owner, another custom resource or the helm program may take it over.
 */
export async function disownRelease(run: ReleaseRun): Promise<void> {
  const { store, release, owner, ctx } = run
  const revisions = await store.revisions(release.namespace, release.name, ctx.signal)
  const owned = revisions.filter((revision) => revision.owner === owner.uid)
  if (owned.length === 0) return
  await disownObjects(run, revisions)
  for (const revision of owned)
    await store.update({ ...revision, owner: undefined, ownerReferences: [] }, ctx.signal)
}

/**
 * Removes the references of the objects of all revisions: a failed upgrade may have made some of them. Objects that
 * cannot be read or changed do not hold up the records, or a deletion of the custom resource would uninstall the
 * release.
 */
async function disownObjects(run: ReleaseRun, revisions: readonly StoredRelease[]): Promise<void> {
  const problems = new Set<string>()
  const note = (message: string) => void problems.add(message)
  const seen = new Set<string>()
  for (const { release } of revisions)
    for (const object of await readableObjects(run, release, note)) {
      if (seen.has(idOf(object))) continue
      seen.add(idOf(object))
      await disownObject(run, object, note)
    }
  if (problems.size > 0) reportOwned(run, [...problems])
}

/** The objects of a record that can be found; the others are noted. */
async function readableObjects(run: ReleaseRun, release: Release, note: Note): Promise<ReleaseObject[]> {
  try {
    return await placedIfServed(run, release, ({ message }) => note(message))
  } catch (error) {
    if (!(error instanceof UnreadableReleaseError)) throw error
    note(error.message)
    return []
  }
}

/** Removes the reference of one object; one that the operator may not read or change is noted. */
async function disownObject(run: ReleaseRun, object: ReleaseObject, note: Note): Promise<void> {
  try {
    const live = await run.live.read(object)
    if (live && belongsTo(live, run.release)) await run.live.disown(object, live, [run.owner.uid])
  } catch (error) {
    if (!isForbidden(error) && !(error instanceof ApiUnavailableError)) throw error
    note(messageAbout(object, error))
  }
}

/** The maximum number of problems that the Event names. */
const maxNamed = 5

/** Reports objects that may still refer to the custom resource. */
function reportOwned({ ctx, release, owner }: ReleaseRun, problems: readonly string[]): void {
  const more = problems.length > maxNamed ? `; and ${problems.length - maxNamed} more` : ''
  ctx.events.warning(
    'StillOwned',
    `the release ${release.name} stays, but objects of it may still have ${owner.resource.kind} ${formatKey(owner.key)} ` +
      'as their owner, and are deleted with it; remove the reference from their ownerReferences: ' +
      `${problems.slice(0, maxNamed).join('; ')}${more}`,
  )
}
