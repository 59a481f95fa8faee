import type { Clock } from '../time/clock.js'

interface Delayed {
  readonly dueMs: number
  readonly cancel: () => void
}

/** Calls back for each key after its delay. A key has one delay. */
export class DelayedKeys {
  readonly #clock: Clock
  readonly #delayed = new Map<string, Delayed>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get size(): number {
    return this.#delayed.size
  }

  /** The time until the first delay ends, in milliseconds; `Infinity` without delays. */
  get dueInMs(): number {
    let dueMs = Number.POSITIVE_INFINITY
    for (const delayed of this.#delayed.values()) dueMs = Math.min(dueMs, delayed.dueMs)
    return dueMs - this.#clock.now()
  }

  /** The time until the delay of a key ends, in milliseconds; `undefined` without a delay. */
  dueInMsOf(id: string): number | undefined {
    const delayed = this.#delayed.get(id)
    return delayed && Math.max(0, delayed.dueMs - this.#clock.now())
  }

  /** Calls `wake` after `delayMs` milliseconds, unless an earlier delay of the key ends first. */
  add(id: string, delayMs: number, wake: () => void): void {
    const earlier = this.#delayed.get(id)
    if (earlier === undefined || earlier.dueMs > this.#clock.now() + delayMs) this.replace(id, delayMs, wake)
  }

  /** Calls `wake` after `delayMs` milliseconds, whatever delay the key had before. */
  replace(id: string, delayMs: number, wake: () => void): void {
    this.#delayed.get(id)?.cancel()
    const over = () => {
      this.#delayed.delete(id)
      wake()
    }
    this.#delayed.set(id, {
      dueMs: this.#clock.now() + delayMs,
      cancel: this.#clock.schedule(delayMs, over),
    })
  }

  /** Drops the delay of a key. */
  drop(id: string): void {
    this.#delayed.get(id)?.cancel()
    this.#delayed.delete(id)
  }

  clear(): void {
    for (const { cancel } of this.#delayed.values()) cancel()
    this.#delayed.clear()
  }
}
