import type { Clock } from './clock.js'

/**
 * Divides long work into slices, so that it does not block the event loop: between two steps, check
 * {@link TimeSlice.isOver}, and await {@link TimeSlice.pause} if it is true. The first check starts a slice.
 */
export class TimeSlice {
  readonly #clock: Clock
  readonly #limitMs: number
  /** The time of the first check in this turn of the event loop. */
  #startMs: number | undefined

  /** `limitMs` is the longest slice in one turn of the event loop, in milliseconds; default 10. */
  constructor(clock: Clock, limitMs = 10) {
    this.#clock = clock
    this.#limitMs = limitMs
  }

  /** Whether the slice of this turn of the event loop is used up. */
  get isOver(): boolean {
    if (this.#startMs !== undefined) return this.#clock.now() - this.#startMs >= this.#limitMs
    this.#startMs = this.#clock.now()
    setImmediate(() => {
      this.#startMs = undefined
    })
    return false
  }

  /** Lets timers and sockets run. */
  pause(): Promise<void> {
    return new Promise((resolve) => setImmediate(resolve))
  }
}
