import type { StoredRelease } from '../release/stored-release.js'
import type { Drift } from './live-objects.js'
import { marked, nameOf, placed, type ReleaseObject } from './release-object.js'
import { type ReleaseRun, recordOwner } from './release-run.js'
import type { WantedRelease } from './wanted-release.js'

/** Takes over a release of another program that is what is wanted: it gets the mark of its object. */
export async function adopt(run: ReleaseRun, deployed: StoredRelease): Promise<StoredRelease> {
  if (deployed.owner === run.owner.uid) return deployed
  run.ctx.events.normal('Adopted', `the release ${run.release.name} belongs to this object now`)
  return run.store.update({ ...deployed, ...recordOwner(run) }, run.ctx.signal)
}

/** The objects of a release that is as wanted, with what others changed put right. */
export async function correctDrift(run: ReleaseRun, { rendered }: WantedRelease): Promise<ReleaseObject[]> {
  const { driftDetection = 'correct' } = run.options
  const objects = (await placed(rendered.objects, run.kinds, run.release.namespace)).map((one) =>
    marked(one, run),
  )
  if (driftDetection === 'off') return objects
  const live = await Promise.all(objects.map((object) => run.live.read(object)))
  const drifts = objects.flatMap((object, at) => run.drift.drift(object, live[at]) ?? [])
  for (const drift of drifts) {
    if (driftDetection === 'correct') await correct(run, drift, live[objects.indexOf(drift.object)])
    else run.ctx.events.warning('Drift', sentence(drift))
  }
  return objects
}

async function correct(
  run: ReleaseRun,
  drift: Drift,
  before: { metadata: { resourceVersion?: string } } | undefined,
): Promise<void> {
  const after = await run.live.apply(drift.object)
  run.drift.applied(drift.object, after)
  if (before?.metadata.resourceVersion === after.metadata.resourceVersion) return
  run.ctx.events.normal('DriftCorrected', sentence(drift))
}

const sentence = ({ object, paths }: Drift) =>
  paths.length === 0
    ? `${nameOf(object)} was deleted`
    : `${nameOf(object)} was changed at ${paths.join(', ')}`
