import { formatKey, type Key } from '../../engine/kube/key.js'

/** How often the runs of each key have failed in a row. */
export class FailedRuns {
  readonly #counts = new Map<string, number>()

  /** A run of the key has failed. Returns how many have done so in a row. */
  add(key: Key): number {
    const id = formatKey(key)
    const count = (this.#counts.get(id) ?? 0) + 1
    this.#counts.set(id, count)
    return count
  }

  /** A run of the key has succeeded, or its object is gone. */
  clear(key: Key): void {
    this.#counts.delete(formatKey(key))
  }
}
