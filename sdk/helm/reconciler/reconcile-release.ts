import minBy from 'lodash/minBy.js'
import type { Contest } from '../../engine/controller/contested-fields.js'
import type { ReconcileResult } from '../../engine/controller/reconcile-result.js'
import { latestOf } from '../release/history.js'
import type { FailedInputs, StoredRelease } from '../release/stored-release.js'
import type { OperationProgress } from './goal/due-operation.js'
import { waitingInputs } from './goal/failed-inputs.js'
import { type Goal, type GoalOptions, goalOf } from './goal/goal.js'
import { isInstallAt } from './goal/next-revision.js'
import { planDeployment } from './goal/plan-deployment.js'
import { noteDigest } from './goal/revision-digests.js'
import { hasValues, isInStep, type WantedRelease } from './goal/wanted-release.js'
import type { ReleaseObject } from './objects/release-object.js'
import { adoptRelease } from './operation/adopt-release.js'
import { correctDrift } from './operation/correct-drift.js'
import { deploy } from './operation/deploy.js'
import { type ReleaseRunEnd, recheckMs } from './operation/release-run-end.js'
import { rollBack } from './operation/roll-back.js'
import { runCodeHooks } from './options/code-hooks.js'
import { operationWords } from './problem/operation-kind.js'
import { contestOf } from './run/contest-of.js'
import { placedIfServed } from './run/placed-if-served.js'
import { intentOf } from './run/record-contest.js'
import type { ReconcileRun } from './run/release-run.js'
import { isPending } from './run/revision-status.js'
import { checkDeployedReadiness, checkReadiness, checkReadinessAfterError } from './status/check-readiness.js'
import {
  checkHolder,
  foreignOperationMs,
  recordInterruption,
  reportForeign,
} from './status/foreign-operation.js'
import { holdRevision } from './status/hold-revision.js'
import { adviseOnNamespace } from './status/namespace-advice.js'
import { asIrreconcilable, asRefused, report, reportDeployed } from './status/report.js'
import { retryMs, withRetry } from './status/retry-time.js'

/**
 * The time after which a release that waits for a new definition is checked again, in milliseconds. The API server may
 * serve the kind long after the definition is established.
 */
const recheckRarelyMs = 60_000

/** The object of a run, and the renderer of its chart. */
type RunSubject = Omit<GoalOptions, 'revisions'>

/**
 * Brings the release of an object to its intended state. `ReleaseController` calls it in each run of an object that is
 * not being deleted. Reports errors in conditions and Events, and rejects with them.
 */
export async function reconcileRelease(run: ReconcileRun, subject: RunSubject): Promise<ReleaseRunEnd> {
  try {
    const end = await runSteps(run, subject)
    await checkDeployedReadiness(run, end.objects)
    return end
  } catch (error) {
    report(run, adviseOnNamespace(run, run.secretTexts.redactError(error)))
    await checkReadinessAfterError(run)
    throw withRetry(run, asRefused(run, asIrreconcilable(error)))
  }
}

/**
 * The steps of a run: read the revisions, find the goal, and then finish if the deployed revision equals it, roll back
 * a failure, or deploy the goal.
 */
async function runSteps(run: ReconcileRun, subject: RunSubject): Promise<ReleaseRunEnd> {
  if (run.options.onForeignRevision === 'hold') run.ctx.condition('Paused', false, 'Reconciled')
  let revisions = await run.store.revisions(run.release.namespace, run.release.name, run.ctx.signal)
  run.ctx.condition('Initialized', true, 'Initialized')
  const latest = latestOf(revisions)
  checkHolder(run, latest, run.options.chart)
  const waitMs = foreignOperationMs(run, latest)
  if (waitMs > 0) return waitForOther(run, waitMs)
  if (latest && isPending(latest) && !latest.written)
    revisions = await recordInterruption(run, revisions, latest)
  const goal = await goalOf(run, { ...subject, revisions })
  if ('result' in goal) return { result: goal.result }
  const work = { ...subject, goal, intent: intentOf(run, subject.resource, goal.values) }
  if (latest?.release.info.status === 'deployed' && hasValues(latest.release, goal.values)) {
    const { version } = latest.release
    const wanted = await goal.releaseFor(version, isInstallAt(revisions, version))
    if (await isInStep(latest.release, wanted)) return finishInStep(run, latest, { ...work, wanted })
  }
  const current = latestOf(revisions)
  if (current && (await holdRevision(run, current, subject.resource))) {
    await checkDeployedReadiness(run)
    return { objects: await placedIfServed(run, current.release) }
  }
  const contest = run.recordContest.pause(run, current, work.intent)
  if (contest) return waitForContest(run, contest)
  const failed = await waitingInputs(run, revisions, goal)
  return failed ? rollBackFailed(run, revisions, { ...work, failed }) : deployGoal(run, revisions, work)
}

/** The object of a run, and the intended state of its release. */
interface PlannedWork extends RunSubject {
  readonly goal: Goal
  /** Identifies the intended state. */
  readonly intent: string
}

/** Rolls back a failed operation whose inputs are still wanted. */
async function rollBackFailed(
  run: ReconcileRun,
  revisions: readonly StoredRelease[],
  { failed, intent, goal }: PlannedWork & { readonly failed: FailedInputs },
): Promise<ReleaseRunEnd> {
  const rollback = await rollBack(run, revisions, { failed, renderNow: goal.renderNow })
  if ('unfinished' in rollback) return waitingEnd(run, 'RollingBack', rollback.unfinished)
  const { againMs, objects, revision } = rollback
  if (revision) run.recordContest.noteDeployed(revision, intent)
  const result = earliestResult(run, { requeueAfterMs: retryMs(run, againMs) })
  return { result, ...(objects && { objects }) }
}

/** Plans the operation that leads to the goal, and carries it out. */
async function deployGoal(
  run: ReconcileRun,
  revisions: readonly StoredRelease[],
  { goal, ...subject }: PlannedWork,
): Promise<ReleaseRunEnd> {
  const { ctx, release } = run
  const work = await planDeployment(revisions, goal)
  const latest = latestOf(revisions)
  if (latest && !isPending(latest)) reportForeign(run, latest, latest.release.info.description ?? '')
  const state = await deploy(run, work)
  const { revision, objects = [] } = state
  const words = operationWords[work.next.kind]
  if (!revision) return waitingEnd(run, words.progress, state)
  ctx.events.normal(
    words.ended,
    `revision ${revision.release.version} of the release ${release.name} is deployed`,
  )
  return finishDeployed(run, { revision, objects, wanted: work.wanted, isNew: true }, subject)
}

/** The end of a run whose operation waits for something. The condition `Progressing` says for what. */
function waitingEnd({ ctx }: ReconcileRun, reason: string, state: OperationProgress): ReleaseRunEnd {
  const { objects, hook, missing, waitsFor = '' } = state
  ctx.condition('Progressing', true, reason, `waits for ${waitsFor}`)
  const requeueAfterMs = missing ? recheckRarelyMs : recheckMs
  const dependencies = { ...(objects && { objects }), ...(hook && { hook }), ...(missing && { missing }) }
  return { ...dependencies, isWaiting: true, result: { requeueAfterMs } }
}

/** Ends a run whose deployed revision equals the goal: takes it over if needed, and corrects drift. */
async function finishInStep(
  run: ReconcileRun,
  latest: StoredRelease,
  { wanted, ...subject }: PlannedWork & { wanted: WantedRelease },
): Promise<ReleaseRunEnd> {
  const revision = await adoptRelease(run, latest, wanted)
  const objects = await correctDrift(run, wanted)
  return finishDeployed(run, { revision, wanted, objects, isNew: false }, subject)
}

/** A deployed revision, with the intended state that it equals. */
interface DeployedWork {
  readonly revision: StoredRelease
  readonly objects: readonly ReleaseObject[]
  readonly wanted: WantedRelease
  /** Whether this run deployed it. */
  readonly isNew: boolean
}

/** Reports the deployed revision in the status, and runs the `postHooks`. */
async function finishDeployed(
  run: ReconcileRun,
  { revision, objects, wanted, isNew }: DeployedWork,
  { resource, intent }: Omit<PlannedWork, 'goal'>,
): Promise<ReleaseRunEnd> {
  run.recordContest.noteDeployed(revision, intent)
  const { name, namespace, version, chart, info, manifest, config } = revision.release
  await reportDeployed(run, revision, objects.length)
  await noteDigest(run, { revision, wanted, isNew })
  await checkReadiness(run, objects)
  const result = await runCodeHooks({
    name: 'postHooks',
    hooks: run.options.postHooks,
    context: {
      resource,
      ctx: run.ctx,
      values: config,
      release: {
        name,
        namespace,
        revision: version,
        chart: chart.metadata,
        notes: info.notes ?? '',
        manifest,
      },
    },
  })
  return { result: earliestResult(run, result), objects }
}

/** The result of a run. Runs the key earlier if contested fields may be corrected earlier. */
function earliestResult(run: ReconcileRun, result: ReconcileResult | undefined): ReconcileResult | undefined {
  const contest = contestOf(run)
  const recheck = contest && { requeueAfterMs: retryMs(run, contest.resumeMs) }
  return minBy([result, recheck], (one) => one?.requeueAfterMs) ?? result
}

/** Ends a run because another program undoes the operation each time. */
function waitForContest(run: ReconcileRun, { message, resumeMs }: Contest): ReleaseRunEnd {
  run.ctx.condition('Irreconcilable', true, 'FieldContested', message)
  return { result: { requeueAfterMs: retryMs(run, resumeMs) } }
}

/** Ends a run because another program works on the release. */
function waitForOther({ ctx, release }: ReconcileRun, remainingMs: number): ReleaseRunEnd {
  const message = `another program works on the release ${release.name}; it is left alone until that has ended`
  ctx.condition('Irreconcilable', true, 'OperationInProgress', message)
  return { result: { requeueAfterMs: Math.min(remainingMs, recheckMs) } }
}
