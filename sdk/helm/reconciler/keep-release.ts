import { latestOf } from '../release/history.js'
import { checkAllowed } from './goal/check-allowed.js'
import { type ChartNowOptions, chartNow } from './goal/goal.js'
import { recordedRelease } from './goal/recorded-release.js'
import { correctDrift } from './operation/correct-drift.js'
import type { ReleaseRunEnd } from './operation/release-run-end.js'
import type { IrreconcilableError } from './problem/problem.js'
import type { ReconcileRun } from './run/release-run.js'
import { checkDeployedReadiness, checkReadinessAfterError } from './status/check-readiness.js'
import { adviseOnNamespace } from './status/namespace-advice.js'
import { asIrreconcilable, asRefused, report } from './status/report.js'
import { withRetry } from './status/retry-time.js'

/** The object of a run, and the renderer of its chart. */
type RunSubject = Omit<ChartNowOptions, 'revisions'>

/**
 * Keeps a release in its location although its object asks for another location now. The objects of the deployed
 * revision are repaired, and nothing else changes. The condition `Irreconcilable` and an Event say why.
 */
export async function keepRelease(
  run: ReconcileRun,
  problem: IrreconcilableError,
  subject: RunSubject,
): Promise<ReleaseRunEnd> {
  try {
    const end = await repair(run, subject)
    await checkDeployedReadiness(run, end.objects)
    run.ctx.condition('Irreconcilable', true, problem.reason, problem.message)
    run.ctx.events.warning(problem.reason, problem.message)
    return end
  } catch (error) {
    report(run, adviseOnNamespace(run, run.secretTexts.redactError(error)))
    await checkReadinessAfterError(run)
    throw withRetry(run, asRefused(run, asIrreconcilable(error)))
  }
}

/** Repairs the objects of the deployed revision, if it belongs to the object of the run. Returns the end of the run. */
async function repair(run: ReconcileRun, subject: RunSubject): Promise<ReleaseRunEnd> {
  const { store, release, owner, ctx } = run
  const revisions = await store.revisions(release.namespace, release.name, ctx.signal)
  const latest = latestOf(revisions)
  ctx.condition('Initialized', true, 'Initialized')
  if (latest?.owner !== owner.uid || latest.release.info.status !== 'deployed') return {}
  const renderNow = chartNow(run, { ...subject, revisions })
  const recorded = await recordedRelease(run, latest, { revisions, renderNow })
  run.secretTexts.noteRendered(recorded.rendered.objects)
  await checkAllowed(run, recorded)
  return { objects: await correctDrift(run, recorded) }
}
