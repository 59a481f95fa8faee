import { timeUntil } from '../../../engine/time/recorded-time.js'
import { latestOf } from '../../release/history.js'
import type { FailedInputs, StoredRelease } from '../../release/stored-release.js'
import type { ReconcileRun } from '../run/release-run.js'
import { defaultRetryMs } from '../status/retry-time.js'
import type { Goal } from './goal.js'
import { isInstallAt } from './next-revision.js'
import { revertTarget } from './revert-target.js'

/**
 * The failed inputs (a digest of values and rendered chart) that are still wanted, if the release is rolled back after
 * a failure; undefined otherwise. They are not tried again until they change, until `retryFailedMs` has passed, or
 * until the annotation `retry` changes. Called in each run before an operation is planned.
 */
export async function waitingInputs(
  run: ReconcileRun,
  revisions: readonly StoredRelease[],
  goal: Goal,
): Promise<FailedInputs | undefined> {
  const latest = latestOf(revisions)
  const failed = latest && (latest.written?.failed ?? failedInputsOf(run, latest, revisions))
  if (!failed || goal.to !== undefined) return undefined
  if (failed.retry !== run.annotations.retry || remainingBackoffMs(run, failed) <= 0) return undefined
  const { release } = latest
  const isRolledBack = failed.to === 0 || release.info.status === 'deployed'
  if (!isRolledBack && !revisions.some((revision) => revision.release.version === failed.to)) return undefined
  const { inputs } = await goal.releaseFor(failed.version, isInstallAt(revisions, failed.version))
  return inputs === failed.inputs ? failed : undefined
}

/** The time until failed inputs are tried again, in milliseconds. */
export function remainingBackoffMs({ ctx, options }: ReconcileRun, { at }: FailedInputs): number {
  const waitMs = options.retryFailedMs ?? defaultRetryMs
  return timeUntil((Date.parse(at) || 0) + waitMs, ctx.clock.date(), { waitMs })
}

/** The failed inputs of a revision that failed and must be undone; undefined for any other revision. */
function failedInputsOf(
  { options }: ReconcileRun,
  { release, written }: StoredRelease,
  revisions: readonly StoredRelease[],
): FailedInputs | undefined {
  const { status, description = '', last_deployed: failedAt = '' } = release.info
  if (status !== 'failed' || !written || written.to !== undefined) return undefined
  const isInstall = isInstallAt(revisions, release.version)
  const to = revertTarget(options, { isInstall, revisions })
  if (to === undefined) return undefined
  const { inputs, retry } = written
  const { version } = release
  return { version, inputs, at: failedAt, message: description, to, ...(retry !== undefined && { retry }) }
}
