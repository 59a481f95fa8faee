import { GrpcError } from '../../../engine/grpc/grpc-error.js'
import { GrpcStatus } from '../../../engine/grpc/status.js'
import { type Clock, sleep } from '../../../engine/time/clock.js'

const firstDelayMs = 100
const maxDelayMs = 5000

/** The status of an attempt while a process is down, starting, or going down in the middle of a call. */
const temporary: readonly number[] = [
  GrpcStatus.UNAVAILABLE,
  GrpcStatus.DEADLINE_EXCEEDED,
  GrpcStatus.CANCELLED,
  GrpcStatus.ABORTED,
  GrpcStatus.INTERNAL,
]

/** Options of {@link untilReachable}. */
export interface UntilReachableOptions {
  /** Measures the pauses between attempts. */
  clock: Clock
  /** Ends the attempts; the promise then rejects with the signal's reason. Default: none. */
  signal?: AbortSignal | undefined
  /** Called after each failed attempt, with the pause before the next attempt in milliseconds. */
  onRetry(error: GrpcError, delayMs: number): void
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
      if (!(error instanceof GrpcError) || !temporary.includes(error.code)) throw error
      onRetry(error, delayMs)
    }
    await sleep(clock, delayMs, signal)
  }
}
