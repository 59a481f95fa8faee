import { formatKey, type Key } from '../../engine/kube/key.js'

/** How often the runs of each key have failed in a row. */
export class FailedRuns {
  readonly #counts = new Map<string, number>()

  /** Counts a failed run of the key. Returns the number of failed runs in a row. */
  add(key: Key): number {
    const id = formatKey(key)
    const count = (this.#counts.get(id) ?? 0) + 1
    this.#counts.set(id, count)
    return count
  }

  /** Resets the count, because a run of the key succeeded or its object is gone. */
  clear(key: Key): void {
    this.#counts.delete(formatKey(key))
  }
}
