import type { DeepReadonly } from '../../engine/kube/deep-readonly.js'
import { isConflict } from '../../engine/kube/error.js'
import { latestOf } from '../release/history.js'
import type { ChartRenderer } from '../render/renderer.js'
import { chartNow } from './goal/goal.js'
import { type ReleaseRunEnd, recheckMs } from './operation/release-run-end.js'
import { uninstall } from './operation/uninstall.js'
import { runCodeHooks } from './options/code-hooks.js'
import type { HelmResource } from './options/values-context.js'
import { OperationError } from './problem/problem.js'
import type { ReconcileRun } from './run/release-run.js'
import { asIrreconcilable, reportIrreconcilable } from './status/report.js'
import { withRetry } from './status/retry-time.js'

/**
 * Uninstalls the release of an object that is being deleted. `ReleaseController` calls it in each run of the object
 * until the release is gone or given up; then the returned end has no `result`.
 */
export async function finalizeRelease(
  run: ReconcileRun,
  resource: DeepReadonly<HelmResource>,
  renderer: () => Promise<ChartRenderer>,
): Promise<ReleaseRunEnd> {
  try {
    return await uninstallWithHooks(run, resource, renderer)
  } catch (caught) {
    const error = withRetry(run, asIrreconcilable(run.secretTexts.redactError(caught)))
    if (error instanceof OperationError) {
      const reason = error.reason ?? 'UninstallError'
      run.ctx.condition('ReleaseFailed', true, reason, error.message)
      run.ctx.events.warning('UninstallFailed', `${run.release.name}: ${error.message}`)
    }
    reportIrreconcilable(run, error)
    return giveUp(run, resource, { error, name: `${run.release.name} in ${run.release.namespace}` })
  }
}

/**
 * The end of an uninstallation that failed. Rejects with the error, unless the object says that the release is given
 * up. An error that no condition reports yet, such as a cluster that does not answer, is reported in an Event, because
 * its text can differ with each attempt.
 */
export function giveUp(
  run: Pick<ReconcileRun, 'options' | 'annotations' | 'ctx'>,
  resource: DeepReadonly<HelmResource>,
  { error, name }: { error: unknown; name: string },
): ReleaseRunEnd {
  if (run.ctx.signal.aborted || isConflict(error)) throw error
  if (!(error instanceof OperationError)) reportUnfinished(run, name, error)
  if (!isAbandoned(run, resource)) throw error
  const message = `the release ${name} is given up; some of its objects may remain`
  run.ctx.events.warning('Abandoned', message)
  run.ctx.logger.warn({ error }, message)
  return {}
}

/** Reports in a condition and an Event that an uninstallation failed and is tried again. */
function reportUnfinished({ ctx }: Pick<ReconcileRun, 'ctx'>, name: string, error: unknown): void {
  const message = `the release ${name} cannot be uninstalled; that is tried again, see the Events`
  ctx.condition('ReleaseFailed', true, 'UninstallError', message)
  ctx.events.warning('UninstallFailed', `${name}: ${error instanceof Error ? error.message : String(error)}`)
}

/** Whether an object gives its release up: by its annotation, or because its deletion takes longer than allowed. */
function isAbandoned(
  { options, annotations, ctx }: Pick<ReconcileRun, 'options' | 'annotations' | 'ctx'>,
  { metadata }: DeepReadonly<HelmResource>,
): boolean {
  if (annotations.abandon) return true
  const { abandonAfterMs = Number.POSITIVE_INFINITY } = options
  return ctx.clock.date().getTime() - Date.parse(metadata.deletionTimestamp ?? '') > abandonAfterMs
}

/** Uninstalls the release, between the `preUninstallHooks` and the `postUninstallHooks` of the options. */
async function uninstallWithHooks(
  run: ReconcileRun,
  resource: DeepReadonly<HelmResource>,
  renderer: () => Promise<ChartRenderer>,
): Promise<ReleaseRunEnd> {
  const { ctx, options, release, store } = run
  const { preUninstallHooks, postUninstallHooks } = options
  const context = { resource, ctx }
  const revisions = await store.revisions(release.namespace, release.name, ctx.signal)
  const latest = latestOf(revisions)
  const hasBegun = latest?.release.info.status === 'uninstalling' && latest.written !== undefined
  const preHooks = { name: 'preUninstallHooks', hooks: hasBegun ? [] : preUninstallHooks, context }
  const result = await runCodeHooks(preHooks)
  if (result) return { result }
  ctx.condition('Ready', false, 'Uninstalling')
  const renderNow = chartNow(run, { resource, renderer, revisions })
  const { waitsFor, ...progress } = await uninstall(run, revisions, renderNow)
  if (waitsFor !== undefined) {
    ctx.condition('Progressing', true, 'Uninstalling', `waits for ${waitsFor}`)
    return { ...progress, isWaiting: true, result: { requeueAfterMs: recheckMs } }
  }
  return { result: await runCodeHooks({ name: 'postUninstallHooks', hooks: postUninstallHooks, context }) }
}
