import { Cancellation } from '../../time/cancellation.js'
import type { Clock } from '../../time/clock.js'
import type { Middleware } from '../run.js'

/** A run of a key took longer than it may. */
export class RunTimeoutError extends Error {
  override readonly name = 'RunTimeoutError'

  constructor(limitMs: number) {
    super(
      `the run took longer than ${limitMs / 1000} s and was aborted; pass ctx.signal to every call that waits`,
    )
  }
}

/** Options of {@link timeLimit}. */
export interface TimeLimitOptions {
  /** How long a run may take, in milliseconds. */
  limitMs: number
  clock: Clock
}

/**
 * Aborts the signal of a run after the limit; an error that then ends the run is thrown as {@link RunTimeoutError}. A
 * run that ignores its signal cannot be ended.
 */
export function timeLimit({ limitMs, clock }: TimeLimitOptions): Middleware {
  return (next) => async (run) => {
    const { signal } = run
    // Not an `AbortSignal`: creating one takes longer than much of a run.
    const runCancellation = new Cancellation()
    const onAbort = () => runCancellation.abort(signal.reason)
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort)
    const cancel = clock.schedule(limitMs, () => runCancellation.abort(new RunTimeoutError(limitMs)))
    try {
      return await next({ ...run, signal: runCancellation })
    } catch (error) {
      throw runCancellation.reason instanceof RunTimeoutError ? runCancellation.reason : error
    } finally {
      cancel()
      signal.removeEventListener('abort', onAbort)
    }
  }
}
