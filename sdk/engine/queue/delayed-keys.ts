import type { Clock } from '../time/clock.js'

/** The delay of one key. */
interface Delay {
  /** The end of the delay, in milliseconds of the clock. */
  readonly dueMs: number
  readonly cancel: () => void
}

/** Calls back for each key of a `WorkQueue` after its delay, such as a backoff. A key has one delay. */
export class DelayedKeys {
  readonly #clock: Clock
  readonly #delays = new Map<string, Delay>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get size(): number {
    return this.#delays.size
  }

  /** The time until the first delay ends, in milliseconds; `Infinity` without delays. */
  get dueInMs(): number {
    let dueMs = Number.POSITIVE_INFINITY
    for (const delay of this.#delays.values()) dueMs = Math.min(dueMs, delay.dueMs)
    return dueMs - this.#clock.now()
  }

  /** The time until the delay of a key ends, in milliseconds; `undefined` without a delay. */
  dueInMsOf(id: string): number | undefined {
    const delay = this.#delays.get(id)
    return delay && Math.max(0, delay.dueMs - this.#clock.now())
  }

  /** Calls `wake` after `delayMs` milliseconds, unless an earlier delay of the key ends first. */
  add(id: string, delayMs: number, wake: () => void): void {
    const earlier = this.#delays.get(id)
    if (earlier === undefined || earlier.dueMs > this.#clock.now() + delayMs) this.replace(id, delayMs, wake)
  }

  /** Calls `wake` after `delayMs` milliseconds, whatever delay the key had before. */
  replace(id: string, delayMs: number, wake: () => void): void {
    this.#delays.get(id)?.cancel()
    const onEnd = () => {
      this.#delays.delete(id)
      wake()
    }
    this.#delays.set(id, {
      dueMs: this.#clock.now() + delayMs,
      cancel: this.#clock.schedule(delayMs, onEnd),
    })
  }

  /** Drops the delay of a key. */
  drop(id: string): void {
    this.#delays.get(id)?.cancel()
    this.#delays.delete(id)
  }

  clear(): void {
    for (const { cancel } of this.#delays.values()) cancel()
    this.#delays.clear()
  }
}
