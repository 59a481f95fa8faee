import type { Clock } from '../time/clock.js'
import { withOwnSignal } from '../time/own-signal.js'

/** Options of {@link limitedCall}. */
export interface LimitedCallOptions {
  clock: Clock
  /** How long the call may take, in milliseconds. */
  limitMs: number
  /** Aborts the call earlier. Default none. */
  stop?: AbortSignal | undefined
}

/** The limits of a call, as the client takes them. */
export interface CallLimits {
  readonly signal: AbortSignal
  /**
   * The time limit in milliseconds. After a suspension of the process the signal may be late, so the client checks the
   * clock before it sends.
   */
  readonly timeoutMs: number
}

/** Makes a call and aborts it when its time limit has passed. */
export function limitedCall<T>(
  { clock, limitMs, stop }: LimitedCallOptions,
  call: (limits: CallLimits) => Promise<T>,
): Promise<T> {
  return withOwnSignal(stop, async (abortController) => {
    const cancel = clock.schedule(limitMs, () =>
      abortController.abort(new Error(`no answer within ${limitMs / 1000} s`)),
    )
    try {
      return await call({ signal: abortController.signal, timeoutMs: limitMs })
    } finally {
      cancel()
    }
  })
}
