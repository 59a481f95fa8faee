import { Fifo } from './fifo.js'
import type { WaitingKey } from './waiting-key.js'

/** Waiting keys of one priority: FIFO within a namespace, and round-robin over namespaces. {@link KeyLine} has two. */
export class FairLane {
  /** The namespaces with keys, the next one first. */
  readonly #namespaces = new Map<string, Fifo<WaitingKey>>()
  readonly #isStale: (waiting: WaitingKey) => boolean

  /** `isStale` returns whether an entry no longer waits; such an entry is skipped. */
  constructor(isStale: (waiting: WaitingKey) => boolean) {
    this.#isStale = isStale
  }

  push(waiting: WaitingKey): void {
    const { namespace } = waiting.key
    const keys = this.#namespaces.get(namespace)
    if (keys) keys.push(waiting)
    else this.#namespaces.set(namespace, new Fifo(waiting))
  }

  /**
   * Takes the first key of the next namespace, and moves that namespace to the end. A namespace that may not be served
   * now keeps its place.
   */
  shift(mayServe: (namespace: string) => boolean): WaitingKey | undefined {
    for (const [namespace, keys] of this.#namespaces) {
      if (!mayServe(namespace)) continue
      const first = keys.shiftUntil((waiting) => !this.#isStale(waiting))
      this.#namespaces.delete(namespace)
      if (keys.size > 0) this.#namespaces.set(namespace, keys)
      if (first) return first
    }
    return undefined
  }

  clear(): void {
    this.#namespaces.clear()
  }
}
