import type { KubeObject } from '../../engine/kube/object.js'
import type { StoredRelease } from '../release/stored-release.js'
import { inDeleteOrder } from '../render/install-order.js'
import { objectsOf } from '../render/manifest.js'
import type { RenderedObject } from '../render/renderer.js'
import { ApiUnavailableError } from './api-unavailable.js'
import { isPending, wasDeployed } from './begin-revision.js'
import type { NextRevision } from './deployment.js'
import { idOf, nameOf, placed, type ReleaseObject, unknownPolicy } from './release-object.js'
import type { ReleaseRun } from './release-run.js'

/** The objects of revisions. */
export type ObjectsByRevision = ReadonlyMap<StoredRelease, readonly ReleaseObject[]>

/** The objects of the revisions since the last one that was deployed, that one included. */
export async function earlierObjects(
  run: ReleaseRun,
  { revisions, next }: { revisions: readonly StoredRelease[]; next: NextRevision },
): Promise<ObjectsByRevision> {
  const earlier = revisions.filter((one) => one.release.version <= next.version)
  const from = earlier.findLast(wasDeployed)?.release.version ?? 0
  const found = new Map<StoredRelease, ReleaseObject[]>()
  for (const revision of earlier.filter((one) => one.release.version >= from)) {
    const { manifest } = revision.release
    found.set(revision, await placedIfServed(run, manifest))
  }
  return found
}

/** Called for each object whose API does not answer. */
type OnUnavailable = (error: ApiUnavailableError, object: KubeObject) => void

/**
 * A kind that is no longer served has no objects. Objects whose API does not answer are left out and reported; without `onUnavailable` they
 * are an error.
 */
export async function placedIfServed(
  run: ReleaseRun,
  manifest: string,
  onUnavailable?: OnUnavailable,
): Promise<ReleaseObject[]> {
  return placedServed(run, await objectsOf(manifest), onUnavailable)
}

/** The objects whose kinds are served. */
export async function placedServed(
  run: ReleaseRun,
  objects: readonly RenderedObject[],
  onUnavailable?: OnUnavailable,
): Promise<ReleaseObject[]> {
  run.secretTexts.noteRendered(objects)
  const served = await Promise.all(objects.map(({ object }) => isServed(run, object, onUnavailable)))
  return placed(
    objects.filter((_, at) => served[at]),
    run.kinds,
    run.release.namespace,
  )
}

async function isServed(
  { kinds }: ReleaseRun,
  object: KubeObject,
  onUnavailable?: OnUnavailable,
): Promise<boolean> {
  try {
    return (await kinds.find(object.apiVersion ?? '', object.kind ?? '')) !== undefined
  } catch (error) {
    if (!(error instanceof ApiUnavailableError) || !onUnavailable) throw error
    onUnavailable(error, object)
    return false
  }
}

/** Deletes the objects of an interrupted operation that the intended state no longer has. */
export async function removeStale(
  run: ReleaseRun,
  before: ObjectsByRevision,
  { objects, of }: { objects: readonly ReleaseObject[]; of: StoredRelease | undefined },
): Promise<void> {
  if (of && isPending(of)) await removeAbsent(run, before.get(of) ?? [], objects)
}

/** Deletes the old objects that are not among the intended ones. */
export async function removeAbsent(
  run: ReleaseRun,
  old: readonly ReleaseObject[],
  objects: readonly ReleaseObject[],
): Promise<void> {
  const wanted = new Set(objects.map(idOf))
  const gone = inDeleteOrder(old.filter((one) => !wanted.has(idOf(one))))
  for (const object of gone) await removeObject(run, object)
  run.drift.forget(run.release, gone)
}

/** Deletes an object that is not wanted any more. Answers whether it was there, and has to go. */
export async function removeObject(run: ReleaseRun, object: ReleaseObject): Promise<boolean> {
  const wasThere = await run.live.delete(object, run.release)
  const text = unknownPolicy(object.object)
  if (wasThere && text !== undefined)
    run.ctx.events.warning(
      'UnknownPolicy',
      `${nameOf(object)} has the helm.sh/resource-policy ${JSON.stringify(text)}, which is not known, and is deleted; only "keep" keeps objects`,
    )
  return wasThere
}
