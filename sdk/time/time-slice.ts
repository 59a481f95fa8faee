import type { Clock } from './clock.js'

/** Lets long work share the event loop: ask between two pieces, and pause when the answer is yes. */
export class TimeSlice {
  readonly #clock: Clock
  readonly #limitMs: number
  /** When this turn of the event loop first asked. */
  #startMs: number | undefined

  /** `limitMs` is how long one turn of the event loop may be worked in; default 10 milliseconds. */
  constructor(clock: Clock, limitMs = 10) {
    this.#clock = clock
    this.#limitMs = limitMs
  }

  /** Whether this turn of the event loop is used up. */
  get isOver(): boolean {
    if (this.#startMs !== undefined) return this.#clock.now() - this.#startMs >= this.#limitMs
    this.#startMs = this.#clock.now()
    setImmediate(() => {
      this.#startMs = undefined
    })
    return false
  }

  /** Lets timers and sockets have their turn. */
  pause(): Promise<void> {
    return new Promise((resolve) => setImmediate(resolve))
  }
}
