import { recordedObjects } from '../../release/recorded-objects.js'
import type { StoredRelease } from '../../release/stored-release.js'
import type { ReleaseRun } from '../run/release-run.js'
import { type RenderForRevision, renderingNow } from './rendering-now.js'
import { isVouchedFor } from './revision-digests.js'
import { type WantedRelease, wantedRelease } from './wanted-release.js'

/** Options of {@link recordedRelease}. */
export interface RecordedOptions {
  readonly revisions: readonly StoredRelease[]
  /** Renders the chart for the object; undefined if every record counts. */
  readonly renderNow?: RenderForRevision
}

/**
 * A recorded revision as an intended state, for a rollback to it. If users may have edited the record, the rendered
 * chart limits it.
 */
export async function recordedRelease(
  run: ReleaseRun,
  stored: StoredRelease,
  { revisions, renderNow }: RecordedOptions,
): Promise<WantedRelease> {
  const { config, manifest, hooks, info, chart } = stored.release
  const objects = await recordedObjects(stored.release)
  const rendered = { manifest, objects, hooks, crds: [], notes: info.notes ?? '', chart }
  if (!renderNow || (await isVouchedFor(run, stored, rendered))) return wantedRelease(config, rendered)
  return wantedRelease(config, rendered, { now: renderingNow(renderNow, revisions, stored) })
}
