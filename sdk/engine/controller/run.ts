import type { Key } from '../kube/key.js'
import type { CancelToken } from '../time/cancellation.js'
import type { ReconcileResult } from './reconcile-result.js'

/** One run of one key, on its way through the middleware to `reconcile`. */
export interface Run {
  readonly key: Key
  /** Aborts when the run takes too long, when the program stops, and when leadership is lost. */
  readonly signal: CancelToken
  /**
   * The monotonic time until which this run may write, in milliseconds; read before each write. Left out if replicas do
   * not share the work: then the deadline of the process counts.
   */
  readonly deadline?: () => number
}

/** Handles a run. */
export type RunHandler = (run: Run) => Promise<ReconcileResult | undefined>

/** Wraps a handler: does something before or after it, changes its run, or skips it. */
export type Middleware = (next: RunHandler) => RunHandler

/** Wraps `reconcile` in a list of middleware; the first of the list is the outermost. */
export function compose(middleware: readonly Middleware[], reconcile: RunHandler): RunHandler {
  return middleware.reduceRight((next, wrap) => wrap(next), reconcile)
}
