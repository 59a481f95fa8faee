import type { KubeObject } from '../../../engine/kube/object.js'
import type { StoredRelease } from '../../release/stored-release.js'
import { readHook } from '../../render/read-hook.js'
import type { ReleaseHook } from '../../render/release-hook.js'
import { isHookOf, isHookOfAnother } from '../objects/hook-annotations.js'
import { mapLimited } from '../objects/map-limited.js'
import { belongsTo, isDefinition, namesRelease, type ReleaseObject } from '../objects/release-object.js'
import { placedServed } from '../run/placed-if-served.js'
import type { ReleaseRun } from '../run/release-run.js'
import { foreignObjectError } from './check-not-foreign.js'

/**
 * Throws `IrreconcilableError` `NotOurs` if an existing object with the name of a hook's object does not belong to the
 * release: the hook would replace it.
 */
export function checkHookOurs(
  run: ReleaseRun,
  revisions: readonly StoredRelease[],
  { object, live }: { object: ReleaseObject; live: KubeObject },
): void {
  if (!isOurs(run, revisions, { object, live })) throw foreignHookError(run, [object])
}

/** The error about foreign objects. A hook takes over none: it would delete them. */
const foreignHookError = (run: ReleaseRun, objects: readonly ReleaseObject[]) =>
  foreignObjectError({ ...run, options: { ...run.options, takeOwnership: false } }, objects)

/**
 * Rejects with `RenderError` for a hook that can never run, those of a later deletion included. Nothing runs hooks of
 * the type `test`.
 */
export async function checkHooksCanRun(hooks: readonly ReleaseHook[]): Promise<void> {
  for (const hook of hooks) if (hook.events.some((event) => event !== 'test')) await readHook(hook)
}

/** Rejects as {@link checkHookOurs} throws, with the names of all foreign objects, before anything is written. */
export async function checkHooksOurs(
  run: ReleaseRun,
  revisions: readonly StoredRelease[],
  hooks: readonly ReleaseHook[],
): Promise<void> {
  const rendered = (await Promise.all(hooks.map(readHook))).flat()
  const objects = await placedServed(run, rendered)
  const liveObjects = await mapLimited(objects, (object) => run.live.read(object))
  const foreign = objects.filter((object, index) => {
    const live = liveObjects[index]
    return live && !isOurs(run, revisions, { object, live })
  })
  if (foreign.length > 0) throw foreignHookError(run, foreign)
}

/** Whether a hook of the release may replace an existing object. */
function isOurs(
  { release, options: { takeOwnership = false } }: ReleaseRun,
  revisions: readonly StoredRelease[],
  { object, live }: { object: ReleaseObject; live: KubeObject },
): boolean {
  if (isHookOf(live, release) || belongsTo(live, release)) return true
  if (namesRelease(live) || isHookOfAnother(live, release)) return false
  // A definition is changed in place; an object of any other kind would be deleted.
  if (takeOwnership && isDefinition(object.object)) return true
  return revisions.some((revision) => madeByHelm(revision, object, live))
}

/** How far the clocks of an API server and of a user of helm may differ, in milliseconds. */
const clocksDifferMs = 60_000

/**
 * Whether helm made an object as a hook. Helm does not mark objects of hooks, but it records when each hook ran. An
 * object that was created at another time was made by somebody else.
 */
function madeByHelm({ release }: StoredRelease, { object }: ReleaseObject, live: KubeObject): boolean {
  if (live.metadata.annotations?.['helm.sh/hook'] === undefined) return false
  const madeMs = Date.parse(live.metadata.creationTimestamp ?? '')
  return release.hooks.some(({ kind, name, last_run }) => {
    if (kind !== object.kind || name !== object.metadata.name || !last_run?.started_at) return false
    const startMs = Date.parse(last_run.started_at)
    const endMs = last_run.completed_at ? Date.parse(last_run.completed_at) : startMs
    return madeMs >= startMs - clocksDifferMs && madeMs <= endMs + clocksDifferMs
  })
}
