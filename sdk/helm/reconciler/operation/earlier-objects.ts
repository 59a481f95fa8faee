import { sinceUninstalled } from '../../release/history.js'
import type { StoredRelease } from '../../release/stored-release.js'
import { inDeleteOrder } from '../../render/install-order.js'
import type { NextRevision } from '../goal/due-operation.js'
import type { WantedRelease } from '../goal/wanted-release.js'
import { idOf, objectName, ownerUids, type ReleaseObject, unknownPolicy } from '../objects/release-object.js'
import { placedIfServed } from '../run/placed-if-served.js'
import type { ReleaseRun } from '../run/release-run.js'
import { isPending, wasDeployed } from '../run/revision-status.js'
import { deletableOf, type ObjectsByRevision } from './existing-objects.js'
import { keepsDefinition } from './kept-definitions.js'

/** The objects of the revisions since the last one that was deployed, that one included. */
export async function earlierObjects(
  run: ReleaseRun,
  { revisions, next }: { revisions: readonly StoredRelease[]; next: NextRevision },
): Promise<ObjectsByRevision> {
  const earlier = sinceUninstalled(revisions).filter(({ release }) => release.version <= next.version)
  const firstVersion = earlier.findLast(wasDeployed)?.release.version ?? 0
  const objectsByRevision = new Map<StoredRelease, ReleaseObject[]>()
  for (const revision of earlier.filter((candidate) => candidate.release.version >= firstVersion))
    objectsByRevision.set(revision, await placedIfServed(run, revision.release))
  return objectsByRevision
}

/** Deletes the objects of an interrupted operation that the intended state no longer has. */
export async function removeStaleObjects(
  run: ReleaseRun,
  before: ObjectsByRevision,
  { of, ...intended }: IntendedObjects & { readonly of: StoredRelease | undefined },
): Promise<void> {
  if (!of || !isPending(of)) return
  await removeAbsent(run, { revision: of, oldObjects: before.get(of) ?? [] }, intended)
}

/** The objects that an operation leads to, and the release that has them. */
interface IntendedObjects {
  readonly objects: readonly ReleaseObject[]
  readonly wanted: WantedRelease
}

/** A revision and its objects. */
interface EarlierRevision {
  readonly revision: StoredRelease
  readonly oldObjects: readonly ReleaseObject[]
}

/**
 * Deletes the objects of a revision that are not among the intended ones. Definitions in `crds/` and in hooks stay, and
 * so do objects that existed before a revision that was not deployed.
 */
export async function removeAbsent(
  run: ReleaseRun,
  { revision, oldObjects }: EarlierRevision,
  { objects, wanted }: IntendedObjects,
): Promise<void> {
  const intended = new Set(objects.map(idOf))
  const absent = oldObjects.filter((candidate) => !intended.has(idOf(candidate)))
  const deletable = new Set(deletableOf(revision, absent))
  const keepsIt = await keepsDefinition(wanted, run.options)
  const isKept = (candidate: ReleaseObject) => !deletable.has(candidate) || keepsIt(candidate)
  for (const object of absent.filter(isKept)) await disown(run, object)
  for (const object of inDeleteOrder(absent.filter((candidate) => !isKept(candidate))))
    await removeObject(run, object)
  run.drift.forget(run.release, absent)
}

/** Removes the references with which Kubernetes would delete an object: to the custom resource, and to the vcluster. */
export async function disown(run: ReleaseRun, object: ReleaseObject): Promise<void> {
  const live = await run.live.read(object)
  if (live) await run.live.disown(object, live, ownerUids(run))
}

/** Deletes an object that is not wanted any more. Returns whether its deletion has to be waited for. */
export async function removeObject(run: ReleaseRun, object: ReleaseObject): Promise<boolean> {
  const wasThere = await run.live.delete(object, run)
  const text = unknownPolicy(object.object)
  if (wasThere && text !== undefined)
    run.ctx.events.warning(
      'UnknownPolicy',
      `${objectName(object)} has the helm.sh/resource-policy ${JSON.stringify(text)}, which is not known, and is deleted; only "keep" keeps objects`,
    )
  return wasThere
}
