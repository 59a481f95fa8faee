import type { Clock } from '../time/clock.js'

/** Options of {@link RunRateLimit}. */
export interface RunRateLimitOptions {
  /** The number of runs that may begin in one second; 0.1 is one run in ten seconds. */
  maxPerSecond: number
  clock: Clock
}

/**
 * Limits how many runs begin in any window of one second. Runs are not spread over the window: up to the limit may
 * begin at the same time.
 */
export class RunRateLimit {
  readonly #clock: Clock
  readonly #windowMs: number
  /** When the latest runs began. The oldest is at `#next`, where the next run is recorded. */
  readonly #startsMs: number[]
  #next = 0

  constructor({ maxPerSecond, clock }: RunRateLimitOptions) {
    const runs = Math.max(1, Math.floor(maxPerSecond))
    this.#clock = clock
    this.#windowMs = (runs / maxPerSecond) * 1000
    this.#startsMs = new Array<number>(runs).fill(Number.NEGATIVE_INFINITY)
  }

  /** The time until the next run may begin, in milliseconds; 0 if it may begin now. */
  get waitMs(): number {
    return Math.max(0, (this.#startsMs[this.#next] ?? 0) + this.#windowMs - this.#clock.now())
  }

  /** Records that a run begins now. */
  recordStart(): void {
    this.#startsMs[this.#next] = this.#clock.now()
    this.#next = (this.#next + 1) % this.#startsMs.length
  }
}
