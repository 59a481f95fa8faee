import { IrreconcilableError, type IrreconcilableReason, RefusedObjectError } from '../problem/problem.js'
import type { ReconcileRun } from '../run/release-run.js'

/** The parts of a run that decide when a release is tried again. */
type RetryOptions = Pick<ReconcileRun, 'options' | 'annotations'>

/** The default time until a release is tried again whose problem is not in its custom resource, in milliseconds. */
export const defaultRetryMs = 600_000

/** The time until a retry, in milliseconds: the given time, but at most the reconcile period. */
export function retryMs({ options, annotations }: RetryOptions, restsMs: number): number {
  const periodMs = annotations.reconcilePeriodMs ?? options.reconcilePeriodMs ?? 60_000
  return Math.max(1, periodMs > 0 ? Math.min(restsMs, periodMs) : restsMs)
}

/**
 * Whether a problem can be solved without a change of the custom resource: by changes of other objects, of served kinds
 * or of another release with the same name, by time, or by a machine that is less busy. Without code that makes values,
 * the spec alone decides whether the chart accepts them.
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
  // The same time as for inputs of a failed upgrade: each attempt writes objects and records.
  if (error instanceof RefusedObjectError) error.retryInMs = run.options.retryFailedMs ?? defaultRetryMs
  if (!(error instanceof IrreconcilableError) || !mayHeal(error.reason, run.options)) return error
  error.retryInMs = retryMs(run, run.options.retryFailedMs ?? defaultRetryMs)
  return error
}
