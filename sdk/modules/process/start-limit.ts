import type { Clock } from '../../engine/time/clock.js'

/** Limits the number of starts within a time, so that a program that ends at once is not started again and again. */
export class StartLimit {
  readonly #clock: Clock
  readonly #maxStarts: number
  readonly #withinMs: number
  #startsMs: number[] = []

  constructor(clock: Clock, { maxStarts, withinMs }: { maxStarts: number; withinMs: number }) {
    this.#clock = clock
    this.#maxStarts = maxStarts
    this.#withinMs = withinMs
  }

  /** Returns 0 and counts a start if one is permitted now; otherwise the milliseconds until the next is permitted. */
  take(): number {
    const nowMs = this.#clock.now()
    this.#startsMs = this.#startsMs.filter((startMs) => startMs > nowMs - this.#withinMs)
    const [oldestMs] = this.#startsMs
    if (oldestMs !== undefined && this.#startsMs.length >= this.#maxStarts)
      return oldestMs + this.#withinMs - nowMs
    this.#startsMs.push(nowMs)
    return 0
  }
}
