import type { Clock } from '../../engine/time/clock.js'

/** Limits an amount per second. */
export class SecondBudget {
  readonly #clock: Clock
  readonly #limit: number
  #startMs = Number.NEGATIVE_INFINITY
  #spent = 0

  constructor(clock: Clock, limit: number) {
    this.#clock = clock
    this.#limit = limit
  }

  /** Adds an amount. Returns whether the limit of this second is not exceeded. */
  spend(amount = 1): boolean {
    if (this.waitMs() === 0) {
      this.#startMs = this.#clock.now()
      this.#spent = 0
    }
    this.#spent += amount
    return this.#spent <= this.#limit
  }

  /** The milliseconds until the next second. */
  waitMs(): number {
    return Math.max(0, this.#startMs + 1_000 - this.#clock.now())
  }
}
