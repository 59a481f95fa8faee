import type { Clock } from '../../engine/time/clock.js'

/** Permits some starts within a time, so that a program that ends at once is not started again and again. */
export class StartLimit {
  readonly #clock: Clock
  readonly #most: number
  readonly #withinMs: number
  #startsMs: number[] = []

  constructor(clock: Clock, { most, withinMs }: { most: number; withinMs: number }) {
    this.#clock = clock
    this.#most = most
    this.#withinMs = withinMs
  }

  /** The milliseconds until the next start is permitted; 0 if it is, and then it is counted. */
  take(): number {
    const nowMs = this.#clock.now()
    this.#startsMs = this.#startsMs.filter((startMs) => startMs > nowMs - this.#withinMs)
    const [oldestMs] = this.#startsMs
    if (oldestMs !== undefined && this.#startsMs.length >= this.#most)
      return oldestMs + this.#withinMs - nowMs
    this.#startsMs.push(nowMs)
    return 0
  }
}
