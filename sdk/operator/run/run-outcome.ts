import type { ReconcileResult } from '../../engine/controller/reconcile-result.js'
import { withJitter } from '../../engine/time/jitter.js'

/** The end of the work of a run: a result, or `waiting` for the change of an object. */
export type WorkEnd = ReconcileResult | 'waiting' | undefined

/** The end of a run. */
export interface RunOutcome {
  /** Whether its work could not be finished, because it waits for something. */
  readonly isWaiting: boolean
  readonly result: ReconcileResult | undefined
}

/** The result that repeats a run after about this time, in milliseconds; undefined without a time. */
export const repeatAfter = (ms: number | undefined): ReconcileResult | undefined =>
  ms === undefined ? undefined : { requeueAfterMs: withJitter(ms) }
