import type { StoredRelease } from '../release/stored-release.js'
import { belongsTo, idOf } from './objects/release-object.js'
import { placedIfServed } from './run/placed-if-served.js'
import type { ReleaseRun } from './run/release-run.js'

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

/** Removes the references of the objects of all revisions: a failed upgrade may have made some of them. */
async function disownObjects(run: ReleaseRun, revisions: readonly StoredRelease[]): Promise<void> {
  const seen = new Set<string>()
  for (const { release } of revisions)
    for (const object of await placedIfServed(run, release)) {
      if (seen.has(idOf(object))) continue
      seen.add(idOf(object))
      const live = await run.live.read(object)
      if (live && belongsTo(live, run.release)) await run.live.disown(object, live, run.owner)
    }
}
