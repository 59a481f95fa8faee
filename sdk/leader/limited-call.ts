import type { Clock } from '../observe/clock.js'

/** Options of {@link limitedCall}. */
export interface LimitedCallOptions {
  clock: Clock
  /** How long the call may take, in milliseconds. */
  limitMs: number
  /** Ends it earlier; default nothing does. */
  stop?: AbortSignal | undefined
}

/** Makes a call that is aborted when its time is over. */
export async function limitedCall<T>(
  { clock, limitMs, stop }: LimitedCallOptions,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const end = new AbortController()
  const cancel = clock.schedule(limitMs, () => end.abort(new Error(`no answer within ${limitMs / 1000} s`)))
  // On Node 20 each `AbortSignal.any` over a signal that lives on leaves a little behind, every two seconds.
  const onStop = () => end.abort(stop?.reason)
  stop?.addEventListener('abort', onStop, { once: true })
  try {
    return await call(end.signal)
  } finally {
    cancel()
    stop?.removeEventListener('abort', onStop)
  }
}
