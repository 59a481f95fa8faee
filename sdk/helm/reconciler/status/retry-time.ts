import { IrreconcilableError, type IrreconcilableReason, RefusedObjectError } from '../problem/problem.js'
import type { ReconcileRun } from '../run/release-run.js'

/** The parts of a run that decide when a release is tried again. */
type RetryOptions = Pick<ReconcileRun, 'options' | 'annotations'>

/**
 * For how long a release whose problem is not that of its object rests, in milliseconds, if it has no reconcile period.
 */
export const defaultRetryMs = 600_000

/**
 * The time until something is tried again that would rest for this time, in milliseconds; at most the reconcile period.
 */
export function retryMs({ options, annotations }: RetryOptions, restsMs: number): number {
  const periodMs = annotations.reconcilePeriodMs ?? options.reconcilePeriodMs ?? 60_000
  return Math.max(1, periodMs > 0 ? Math.min(restsMs, periodMs) : restsMs)
}

/**
 * Whether something other than the object can solve a problem: objects that are in the way, that `lookup` reads, or
 * whose kinds the cluster serves; another release that has the name; the clock; a machine that is busy. Without code
 * that makes values, the spec alone decides whether the chart accepts them.
 */
function mayHeal(
  reason: IrreconcilableReason,
  { translateValues, mapValues, preHooks }: RetryOptions['options'],
) {
  if (reason !== 'InvalidValues') return true
  return translateValues !== undefined || mapValues !== undefined || (preHooks ?? []).length > 0
}

/**
 * Gives an error about a release the time until it is tried again, if the problem may be solved without a change of its
 * object.
 */
export function withRetry(run: RetryOptions, error: unknown): unknown {
  // As the inputs of an upgrade that failed rest: each attempt writes objects and records.
  if (error instanceof RefusedObjectError) error.retryInMs = run.options.retryFailedMs ?? defaultRetryMs
  if (!(error instanceof IrreconcilableError) || !mayHeal(error.reason, run.options)) return error
  error.retryInMs = retryMs(run, run.options.retryFailedMs ?? defaultRetryMs)
  return error
}
