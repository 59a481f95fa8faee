import type { Clock } from '../time/clock.js'
import { withOwnSignal } from '../time/own-signal.js'

/** A run of a key took longer than it may. */
export class RunTimeoutError extends Error {
  override readonly name = 'RunTimeoutError'

  constructor(limitMs: number) {
    super(
      `the run took longer than ${limitMs / 1000} s and was aborted; pass ctx.signal on to whatever waits`,
    )
  }
}

/** Options of {@link withinLimit}. */
export interface RunLimitOptions {
  /** In milliseconds. */
  limitMs: number
  clock: Clock
  /** Aborts the run, too. */
  signal: AbortSignal
}

/**
 * Runs with a signal that aborts after the limit as well; what then ends the run is thrown as {@link RunTimeoutError}. It
 * cannot end a run that does not heed the signal.
 */
export function withinLimit<T>(
  { limitMs, clock, signal }: RunLimitOptions,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return withOwnSignal(signal, async (own) => {
    const cancel = clock.schedule(limitMs, () => own.abort(new RunTimeoutError(limitMs)))
    try {
      return await run(own.signal)
    } catch (error) {
      const { reason } = own.signal
      throw reason instanceof RunTimeoutError ? reason : error
    } finally {
      cancel()
    }
  })
}
