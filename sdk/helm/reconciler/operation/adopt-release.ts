import type { StoredRelease } from '../../release/stored-release.js'
import type { WantedRelease } from '../goal/wanted-release.js'
import { isClientSide } from '../objects/client-side-fields.js'
import { placeObjects } from '../objects/release-object.js'
import { type ReleaseRun, recordOwner } from '../run/release-run.js'
import { takeFieldsOfOurs } from './take-fields.js'

/**
 * Takes over a release of another program that is already in the intended state: its record gets the label of the
 * owner.
 */
export async function adoptRelease(
  run: ReleaseRun,
  deployed: StoredRelease,
  { rendered }: WantedRelease,
): Promise<StoredRelease> {
  const isOwn = deployed.owner === run.owner.uid
  if (isOwn && !isClientSide(deployed)) return deployed
  if (isClientSide(deployed))
    await takeFieldsOfOurs(run, await placeObjects(rendered.objects, run.kinds, run.release.namespace))
  const release = { ...deployed.release, apply_method: 'ssa' }
  const adopted = await run.store.update({ ...deployed, release, ...recordOwner(run) }, run.ctx.signal)
  if (!isOwn) reportAdopted(run)
  return adopted
}

/** Reports that a release of another program belongs to the object of a run. */
export function reportAdopted({ ctx, release }: ReleaseRun): void {
  ctx.events.normal('Adopted', `the release ${release.name} belongs to this object now`)
}
