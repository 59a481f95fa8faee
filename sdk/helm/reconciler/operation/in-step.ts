import type { KubeObject } from '../../../engine/kube/object.js'
import type { StoredRelease } from '../../release/stored-release.js'
import type { WantedRelease } from '../goal/wanted-release.js'
import { isClientSide, takeClientSideFields } from '../objects/client-side-fields.js'
import {
  isManaged,
  markObject,
  namesRelease,
  namesThisRelease,
  placeObjects,
  type ReleaseObject,
} from '../objects/release-object.js'
import { type ReleaseRun, recordOwner } from '../run/release-run.js'
import { notOurs } from './check-not-foreign.js'
import { correct, driftSentence } from './correct-drift.js'

/**
 * Takes over a release of another program that is already in the intended state: its record gets the label of the
 * owner.
 */
export async function adopt(
  run: ReleaseRun,
  deployed: StoredRelease,
  { rendered }: WantedRelease,
): Promise<StoredRelease> {
  const isOwn = deployed.owner === run.owner.uid
  if (isOwn && !isClientSide(deployed)) return deployed
  if (isClientSide(deployed))
    for (const object of await placeObjects(rendered.objects, run.kinds, run.release.namespace))
      await takeClientSideFields(object, run.target)
  const release = { ...deployed.release, apply_method: 'ssa' }
  const adopted = await run.store.update({ ...deployed, release, ...recordOwner(run) }, run.ctx.signal)
  if (!isOwn) reportAdopted(run)
  return adopted
}

/** Reports that a release of another program belongs to the object of a run. */
export function reportAdopted({ ctx, release }: ReleaseRun): void {
  ctx.events.normal('Adopted', `the release ${release.name} belongs to this object now`)
}

/** Finds drift of the objects of a release, and corrects or reports it. Returns the intended objects. */
export async function correctDrift(run: ReleaseRun, { rendered }: WantedRelease): Promise<ReleaseObject[]> {
  const { driftDetection = 'correct' } = run.options
  const objects = (await placeObjects(rendered.objects, run.kinds, run.release.namespace)).map((one) =>
    markObject(one, run),
  )
  if (driftDetection === 'off') return objects
  const live = await run.live.look(objects)
  if (driftDetection === 'correct') checkNotReplaced(run, objects, live)
  for (const [at, object] of objects.entries()) {
    const drift = run.drift.findDrift(object, live[at])
    if (!drift) continue
    if (driftDetection === 'correct') await correct(run, drift, live[at])
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
  const replaced = objects.filter((_, at) => {
    const found = live[at]
    if (!found) return false
    return namesRelease(found) ? !namesThisRelease(found, run.release) : !takeOwnership && !isManaged(found)
  })
  if (replaced.length > 0) throw notOurs(run, replaced)
}
