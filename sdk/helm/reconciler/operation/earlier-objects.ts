import type { StoredRelease } from '../../release/stored-release.js'
import { inDeleteOrder } from '../../render/install-order.js'
import type { RenderedChart } from '../../render/renderer.js'
import type { NextRevision } from '../goal/due-operation.js'
import { idOf, objectName, type ReleaseObject, unknownPolicy } from '../objects/release-object.js'
import { placedIfServed } from '../run/placed-if-served.js'
import type { ReleaseRun } from '../run/release-run.js'
import { isPending, wasDeployed } from '../run/revision-status.js'
import { keptDefinitions } from './kept-definitions.js'

/** The objects of revisions. */
export type ObjectsByRevision = ReadonlyMap<StoredRelease, readonly ReleaseObject[]>

/** The objects of the revisions since the last one that was deployed, that one included. */
export async function earlierObjects(
  run: ReleaseRun,
  { revisions, next }: { revisions: readonly StoredRelease[]; next: NextRevision },
): Promise<ObjectsByRevision> {
  const earlier = revisions.filter((candidate) => candidate.release.version <= next.version)
  const firstVersion = earlier.findLast(wasDeployed)?.release.version ?? 0
  const objectsByRevision = new Map<StoredRelease, ReleaseObject[]>()
  for (const revision of earlier.filter((candidate) => candidate.release.version >= firstVersion)) {
    const { manifest } = revision.release
    objectsByRevision.set(revision, await placedIfServed(run, manifest))
  }
  return objectsByRevision
}

/** Deletes the objects of an interrupted operation that the intended state no longer has. */
export async function removeStaleObjects(
  run: ReleaseRun,
  before: ObjectsByRevision,
  { of, ...intended }: IntendedObjects & { readonly of: StoredRelease | undefined },
): Promise<void> {
  if (of && isPending(of)) await removeAbsent(run, before.get(of) ?? [], intended)
}

/** The objects that an operation leads to, and the rendered chart that has them. */
interface IntendedObjects {
  readonly objects: readonly ReleaseObject[]
  readonly rendered: RenderedChart
}

/** Deletes the old objects that are not among the intended ones. Definitions in `crds/` and in hooks stay. */
export async function removeAbsent(
  run: ReleaseRun,
  old: readonly ReleaseObject[],
  { objects, rendered }: IntendedObjects,
): Promise<void> {
  const wanted = new Set([...objects.map(idOf), ...(await keptDefinitions(rendered))])
  const absent = inDeleteOrder(old.filter((candidate) => !wanted.has(idOf(candidate))))
  for (const object of absent) await removeObject(run, object)
  run.drift.forget(run.release, absent)
}

/** Deletes an object that is not wanted any more. Returns whether its deletion has to be waited for. */
export async function removeObject(run: ReleaseRun, object: ReleaseObject): Promise<boolean> {
  const wasThere = await run.live.delete(object, run.release)
  const text = unknownPolicy(object.object)
  if (wasThere && text !== undefined)
    run.ctx.events.warning(
      'UnknownPolicy',
      `${objectName(object)} has the helm.sh/resource-policy ${JSON.stringify(text)}, which is not known, and is deleted; only "keep" keeps objects`,
    )
  return wasThere
}
