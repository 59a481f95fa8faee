import type { CancelToken } from './cancellation.js'

/** A source of time, which tests replace by a virtual one. */
export interface Clock {
  /** Monotonic milliseconds since an arbitrary start: for durations and deadlines. */
  now(): number
  /** The wall clock: for timestamps that other programs read. */
  date(): Date
  /** Calls `callback` once after `delayMs` milliseconds; returns a function that cancels the call. */
  schedule(delayMs: number, callback: () => void): () => void
}

/** The longest delay of `setTimeout`, in milliseconds; a longer delay would end at once. */
const maxTimerMs = 2 ** 31 - 1

/** The machine's clock. Its timers keep the process alive, like any other timer. */
export const systemClock: Clock = {
  now: () => performance.now(),
  date: () => new Date(),
  schedule(delayMs, callback) {
    let timer: NodeJS.Timeout
    const wait = (restMs: number) => {
      const onTime = restMs > maxTimerMs ? () => wait(restMs - maxTimerMs) : callback
      timer = setTimeout(onTime, Math.min(restMs, maxTimerMs))
    }
    wait(delayMs)
    return () => clearTimeout(timer)
  },
}

/** Resolves after `delayMs` milliseconds, or rejects with the signal's reason as soon as it aborts. */
export function sleep(clock: Clock, delayMs: number, signal?: CancelToken): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const onAbort = () => {
      cancel()
      reject(signal?.reason)
    }
    const cancel = clock.schedule(delayMs, () => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    })
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}
