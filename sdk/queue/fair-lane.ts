import { Fifo } from './fifo.js'
import type { WaitingKey } from './waiting-key.js'

/** Keys of one priority: first come, first served within a namespace, and the namespaces in turn. */
export class FairLane {
  /** The namespaces that have keys here, the next one first. */
  readonly #namespaces = new Map<string, Fifo<WaitingKey>>()
  readonly #isStale: (waiting: WaitingKey) => boolean

  /** `isStale` says of an entry that it waits no longer; it is skipped. */
  constructor(isStale: (waiting: WaitingKey) => boolean) {
    this.#isStale = isStale
  }

  push(waiting: WaitingKey): void {
    const { namespace } = waiting.key
    const own = this.#namespaces.get(namespace)
    if (own) own.push(waiting)
    else this.#namespaces.set(namespace, new Fifo(waiting))
  }

  /**
   * Takes the first key of the namespace whose turn it is; that namespace then goes to the end. One that may not be
   * served now keeps its turn.
   */
  shift(mayServe: (namespace: string) => boolean): WaitingKey | undefined {
    for (const [namespace, own] of this.#namespaces) {
      if (!mayServe(namespace)) continue
      const first = own.shiftUntil((waiting) => !this.#isStale(waiting))
      this.#namespaces.delete(namespace)
      if (own.size > 0) this.#namespaces.set(namespace, own)
      if (first) return first
    }
    return undefined
  }

  clear(): void {
    this.#namespaces.clear()
  }
}
