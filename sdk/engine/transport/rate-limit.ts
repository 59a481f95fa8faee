import type { CancelToken } from '../time/cancellation.js'
import { type Clock, sleep } from '../time/clock.js'

/** Options of {@link RateLimit}. */
export interface RateLimitOptions {
  /** How many calls a second may start in the long run; default unlimited. */
  qps?: number
  /** How many calls may start at once after a quiet time; default twice `qps`. */
  burst?: number
  clock: Clock
}

/** A token bucket: calls start in their order of arrival, `burst` at once, then `qps` a second. */
export class RateLimit {
  readonly #qps: number
  readonly #burst: number
  readonly #clock: Clock
  #tokens: number
  #countedAtMs: number

  constructor({ qps = Number.POSITIVE_INFINITY, burst = Math.max(1, 2 * qps), clock }: RateLimitOptions) {
    this.#qps = qps
    this.#burst = burst
    this.#clock = clock
    this.#tokens = burst
    this.#countedAtMs = clock.now()
  }

  /** Resolves when a call may start; undefined means at once. Rejects with the signal's reason. */
  acquire(signal?: CancelToken): Promise<void> | undefined {
    if (this.#qps === Number.POSITIVE_INFINITY) return undefined
    const now = this.#clock.now()
    this.#tokens = Math.min(this.#burst, this.#tokens + ((now - this.#countedAtMs) / 1000) * this.#qps)
    this.#countedAtMs = now
    // A negative number of tokens is the length of the queue: each waiting call has taken one in advance.
    this.#tokens -= 1
    if (this.#tokens >= 0) return undefined
    return this.#wait((-this.#tokens / this.#qps) * 1000, signal)
  }

  async #wait(delayMs: number, signal?: CancelToken): Promise<void> {
    try {
      await sleep(this.#clock, delayMs, signal)
    } catch (error) {
      // The call does not start, so its token is free again.
      this.#tokens += 1
      throw error
    }
  }
}
