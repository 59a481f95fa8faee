import type { KubeObject } from '../../../engine/kube/object.js'
import type { WantedRelease } from '../goal/wanted-release.js'
import {
  isManaged,
  markedObjects,
  namesRelease,
  namesThisRelease,
  type ReleaseObject,
} from '../objects/release-object.js'
import type { ReleaseRun } from '../run/release-run.js'
import { foreignObjectError } from './check-not-foreign.js'
import { correctObject, driftSentence } from './correct-object.js'

/** Finds drift of the objects of a release, and corrects or reports it. Returns the intended objects. */
export async function correctDrift(run: ReleaseRun, { rendered }: WantedRelease): Promise<ReleaseObject[]> {
  const { driftDetection = 'correct' } = run.options
  const objects = await markedObjects(run, rendered.objects)
  if (driftDetection === 'off') return objects
  const live = await run.live.readAll(objects)
  if (driftDetection === 'correct') checkNotReplaced(run, objects, live)
  for (const [index, object] of objects.entries()) {
    const drift = run.drift.findDrift(object, live[index])
    if (!drift) continue
    if (driftDetection === 'correct') await correctObject(run, drift, live[index])
    else run.ctx.events.warning('Drift', driftSentence(drift))
  }
  return objects
}

/**
 * Throws `NotOurs` for foreign objects that replaced objects of the release. An object that only lost its label counts
 * as drift.
 */
function checkNotReplaced(
  run: ReleaseRun,
  objects: readonly ReleaseObject[],
  live: readonly (KubeObject | undefined)[],
): void {
  const { takeOwnership = false } = run.options
  const replaced = objects.filter((_, index) => {
    const liveObject = live[index]
    if (!liveObject) return false
    return namesRelease(liveObject)
      ? !namesThisRelease(liveObject, run.release)
      : !takeOwnership && !isManaged(liveObject)
  })
  if (replaced.length > 0) throw foreignObjectError(run, replaced)
}
