import { type ServiceError, status } from '@grpc/grpc-js'
import { type Clock, sleep } from '../../../engine/time/clock.js'

const firstDelayMs = 100
const maxDelayMs = 5000

/** The status of an attempt while a process is down, starting, or going down in the middle of a call. */
const temporary: readonly number[] = [
  status.UNAVAILABLE,
  status.DEADLINE_EXCEEDED,
  status.CANCELLED,
  status.ABORTED,
  status.INTERNAL,
]

/** Options of {@link untilReachable}. */
export interface UntilReachableOptions {
  /** Measures the pauses between attempts. */
  clock: Clock
  /** Ends the attempts; the promise then rejects with the signal's reason. Default: none. */
  signal?: AbortSignal | undefined
  /** Called after each failed attempt, with the pause before the next attempt in milliseconds. */
  onRetry(error: ServiceError, delayMs: number): void
}

/** Repeats an attempt until the other side can be reached, pausing 100 ms, then twice as long up to 5 s. */
export async function untilReachable<T>(
  attempt: () => Promise<T>,
  options: UntilReachableOptions,
): Promise<T> {
  const { clock, signal, onRetry } = options
  for (let delayMs = firstDelayMs; ; delayMs = Math.min(delayMs * 2, maxDelayMs)) {
    try {
      return await attempt()
    } catch (error) {
      if (!isServiceError(error) || !temporary.includes(error.code)) throw error
      onRetry(error, delayMs)
    }
    await sleep(clock, delayMs, signal)
  }
}

/** Whether grpc-js made this error from a gRPC status. */
export function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && 'code' in error && 'details' in error && 'metadata' in error
}
