import type { Clock } from '../time/clock.js'

/** Options of {@link RunRate}. */
export interface RunRateOptions {
  /** How many runs may begin in any second; a number below 1 is one run in so many seconds. */
  perSecond: number
  clock: Clock
}

/** Limits how many runs begin in a second, whichever second is looked at. Up to that number begin at once. */
export class RunRate {
  readonly #clock: Clock
  readonly #windowMs: number
  /** When the last runs began; the oldest one is at `#next`. */
  readonly #beganMs: number[]
  #next = 0

  constructor({ perSecond, clock }: RunRateOptions) {
    const runs = Math.max(1, Math.floor(perSecond))
    this.#clock = clock
    this.#windowMs = (runs / perSecond) * 1000
    this.#beganMs = new Array<number>(runs).fill(Number.NEGATIVE_INFINITY)
  }

  /** The time until another run may begin, in milliseconds. */
  get waitMs(): number {
    return Math.max(0, (this.#beganMs[this.#next] ?? 0) + this.#windowMs - this.#clock.now())
  }

  /** A run begins. */
  began(): void {
    this.#beganMs[this.#next] = this.#clock.now()
    this.#next = (this.#next + 1) % this.#beganMs.length
  }
}
