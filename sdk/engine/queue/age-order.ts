import { Fifo } from './fifo.js'
import type { WaitingKey } from './waiting-key.js'

/** The minimum number of stale entries that are kept before all of them are removed at once. */
const minStale = 1024

/**
 * Waiting background keys in the order in which they were added, from which {@link KeyLine} learns how long the oldest
 * one waits. Stale entries, whose keys no longer wait, are skipped.
 */
export class AgeOrder {
  readonly #isStale: (waiting: WaitingKey) => boolean
  #entries = new Fifo<WaitingKey>()

  constructor(isStale: (waiting: WaitingKey) => boolean) {
    this.#isStale = isStale
  }

  /** Adds a key that begins to wait; `waiting` is the number of waiting keys including it. */
  push(entry: WaitingKey, waiting: number): void {
    if (this.#entries.size > 2 * waiting + minStale) this.#entries = this.#entries.without(this.#isStale)
    this.#entries.push(entry)
  }

  /** The key that has been waiting for the longest time. */
  get oldest(): WaitingKey | undefined {
    let first = this.#entries.first
    while (first && this.#isStale(first)) {
      this.#entries.shiftUntil(() => true)
      first = this.#entries.first
    }
    return first
  }

  clear(): void {
    this.#entries = new Fifo()
  }
}
