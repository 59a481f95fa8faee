import { latestOf } from '../../release/history.js'
import type { FailedInputs, StoredRelease } from '../../release/stored-release.js'
import { checkAllowed } from '../goal/check-allowed.js'
import type { OperationProgress } from '../goal/due-operation.js'
import { remainingBackoffMs } from '../goal/failed-inputs.js'
import { recordedRelease } from '../goal/recorded-release.js'
import type { RenderForRevision } from '../goal/rendering-now.js'
import { noteDigest } from '../goal/revision-digests.js'
import type { ReleaseObject } from '../objects/release-object.js'
import { type ReconcileRun, timeOf } from '../run/release-run.js'
import { reportDeployed } from '../status/report.js'
import { correctDrift } from './correct-drift.js'
import { deleteFailedInstall } from './delete-failed-install.js'
import { deploy } from './deploy.js'

/** The result of a rollback after a failure. */
export interface RollbackResult {
  /** The objects of the release; undefined if they were deleted. */
  readonly objects?: readonly ReleaseObject[]
  /** The deployed revision; undefined if the objects were deleted. */
  readonly revision?: StoredRelease
  /** The time until the next run, in milliseconds. */
  readonly againMs: number
}

/** A failure to undo. */
interface Failure {
  readonly failed: FailedInputs
  /** Renders the chart for the object, which limits what a record may contain. */
  readonly renderNow: RenderForRevision
}

/**
 * Undoes a failed operation once: deploys the last deployed revision again after a failed upgrade, or uninstalls after
 * a failed installation. Then the failed inputs are not tried again for some time. Returns the progress if the rollback
 * has not ended.
 */
export async function rollBack(
  run: ReconcileRun,
  revisions: readonly StoredRelease[],
  failure: Failure,
): Promise<RollbackResult | { unfinished: OperationProgress }> {
  const { failed, renderNow } = failure
  const latest = latestOf(revisions)
  if (!latest) throw new Error(`the release ${run.release.name} has no revision that failed`)
  if (failed.to === 0) return undoInstall(run, revisions, failed)
  const isRolledBack = latest.release.info.status === 'deployed'
  const deployed = isRolledBack ? latest : await deployTarget(run, revisions, { latest, ...failure })
  if (!('release' in deployed)) return { unfinished: deployed }
  const recorded = await recordedRelease(run, deployed, { revisions, renderNow })
  await checkAllowed(run, recorded)
  const objects = await correctDrift(run, recorded)
  await reportDeployed(run, deployed, objects.length)
  await noteDigest(run, { revision: deployed, wanted: recorded, isNew: !isRolledBack })
  const message = `${failed.message}; revision ${failed.to} is back`
  run.ctx.condition('ReleaseFailed', true, 'RolledBack', message)
  return { objects, revision: deployed, againMs: remainingBackoffMs(run, failed) }
}

/** Deploys the revision again that the release goes back to. Returns the new revision, or the progress until then. */
async function deployTarget(
  run: ReconcileRun,
  revisions: readonly StoredRelease[],
  { latest, failed, renderNow }: Failure & { latest: StoredRelease },
): Promise<StoredRelease | OperationProgress> {
  const target = revisions.find((candidate) => candidate.release.version === failed.to)
  if (!target)
    throw new Error(
      `revision ${failed.to} of the release ${run.release.name}, which is to be deployed again, does not exist any more`,
    )
  const wanted = await recordedRelease(run, target, { revisions, renderNow })
  await checkAllowed(run, wanted)
  const continued = latest.written?.failed ? latest : undefined
  const version = latest.release.version + (continued ? 0 : 1)
  const next = { version, isInstall: false, continued, kind: 'rollback', to: failed.to, failed } as const
  const state = await deploy(run, { revisions, wanted, next })
  if (!state.revision) return state
  run.ctx.events.normal(
    'RolledBack',
    `${failed.message}; revision ${state.revision.release.version} of ${run.release.name} is revision ${failed.to} again`,
  )
  await forgetEarlier(run, failed)
  return state.revision
}

/**
 * Deletes the revisions of earlier failures of the same inputs, so that inputs that keep failing leave only two
 * revisions.
 */
async function forgetEarlier(run: ReconcileRun, { inputs, version }: FailedInputs): Promise<void> {
  const { namespace, name } = run.release
  for (const revision of await run.store.revisions(namespace, name, run.ctx.signal)) {
    const { release, written } = revision
    const hasFailed = release.info.status === 'failed' && written?.inputs === inputs
    const wasRolledBack = release.info.status === 'superseded' && written?.failed?.inputs === inputs
    if (release.version < version && (hasFailed || wasRolledBack))
      await run.store.delete(revision, run.ctx.signal)
  }
}

/** Deletes the objects that a failed installation made, once; later runs only report the failure. */
async function undoInstall(
  run: ReconcileRun,
  revisions: readonly StoredRelease[],
  failed: FailedInputs,
): Promise<RollbackResult> {
  if (await deleteFailedInstall(run, revisions, failed))
    run.ctx.events.normal('Uninstalled', `${failed.message}; the objects of ${run.release.name} are deleted`)
  run.ctx.condition('Deployed', false, 'InstallError', `deleted at ${timeOf(run)}`)
  run.ctx.condition('ReleaseFailed', true, 'InstallError', failed.message)
  run.ctx.condition('Progressing', false, 'Failed')
  return { againMs: remainingBackoffMs(run, failed) }
}
