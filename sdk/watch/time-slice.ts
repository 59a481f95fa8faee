import type { Clock } from '../observe/clock.js'

/** Lets long work share the event loop: ask between two pieces, and pause when the answer is yes. */
export class TimeSlice {
  readonly #clock: Clock
  readonly #limitMs: number
  #startMs: number

  /** `limitMs` is how long to work without a pause; default 10 milliseconds. */
  constructor(clock: Clock, limitMs = 10) {
    this.#clock = clock
    this.#limitMs = limitMs
    this.#startMs = clock.now()
  }

  /** Whether the slice is used up. */
  get isOver(): boolean {
    return this.#clock.now() - this.#startMs >= this.#limitMs
  }

  /** Lets timers and sockets have their turn; then a new slice begins. */
  async pause(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve))
    this.#startMs = this.#clock.now()
  }
}
