import type { DeepReadonly } from '../../engine/kube/deep-readonly.js'
import { isConflict } from '../../engine/kube/error.js'
import { latestOf } from '../release/history.js'
import { type ReleaseRunEnd, recheckMs } from './operation/release-run-end.js'
import { uninstall } from './operation/uninstall.js'
import { runCodeHooks } from './options/code-hooks.js'
import type { HelmResource } from './options/values-context.js'
import { OperationError } from './problem/problem.js'
import type { ReconcileRun } from './run/release-run.js'
import { asIrreconcilable, reportIrreconcilable } from './status/report.js'
import { withRetry } from './status/retry-time.js'

/**
 * Uninstalls the release of an object that is being deleted. The returned end has no result once the release is gone or
 * given up.
 */
export async function finalizeRelease(
  run: ReconcileRun,
  resource: DeepReadonly<HelmResource>,
): Promise<ReleaseRunEnd> {
  try {
    return await finalizeNow(run, resource)
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

function reportUnfinished({ ctx }: Pick<ReconcileRun, 'ctx'>, name: string, error: unknown): void {
  const message = `the release ${name} cannot be uninstalled; that is tried again, see the Events`
  ctx.condition('ReleaseFailed', true, 'UninstallError', message)
  ctx.events.warning('UninstallFailed', `${name}: ${error instanceof Error ? error.message : String(error)}`)
}

function isAbandoned(
  { options, annotations, ctx }: Pick<ReconcileRun, 'options' | 'annotations' | 'ctx'>,
  { metadata }: DeepReadonly<HelmResource>,
): boolean {
  if (annotations.abandon) return true
  const { abandonAfterMs = Number.POSITIVE_INFINITY } = options
  return ctx.clock.date().getTime() - Date.parse(metadata.deletionTimestamp ?? '') > abandonAfterMs
}

async function finalizeNow(run: ReconcileRun, resource: DeepReadonly<HelmResource>): Promise<ReleaseRunEnd> {
  const { ctx, options, release, store } = run
  const { preUninstallHooks, postUninstallHooks } = options
  const context = { resource, ctx }
  const revisions = await store.revisions(release.namespace, release.name, ctx.signal)
  const latest = latestOf(revisions)
  const isBegun = latest?.release.info.status === 'uninstalling' && latest.written !== undefined
  const before = { name: 'preUninstallHooks', hooks: isBegun ? [] : preUninstallHooks, context }
  const result = await runCodeHooks(before)
  if (result) return { result }
  ctx.condition('Ready', false, 'Uninstalling')
  const { waitsFor, ...left } = await uninstall(run, revisions)
  if (waitsFor !== undefined) {
    ctx.condition('Progressing', true, 'Uninstalling', `waits for ${waitsFor}`)
    return { ...left, isWaiting: true, result: { requeueAfterMs: recheckMs } }
  }
  return { result: await runCodeHooks({ name: 'postUninstallHooks', hooks: postUninstallHooks, context }) }
}
