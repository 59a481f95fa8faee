import type { Key } from '../kube/key.js'
import { FairLane } from './fair-lane.js'
import type { Priority, WaitingKey } from './waiting-key.js'

/** After so many live keys in a row a background key has its turn, so that a busy cluster still comes to all of them. */
const liveInARow = 9

/**
 * The order in which waiting keys are served: changes before what is only looked at, and among each the namespaces
 * in turn, so that one of them cannot keep the others waiting.
 */
export class KeyLine {
  readonly #waiting = new Map<string, WaitingKey>()
  /** A key that moved from one lane to the other leaves its first entry behind, which is skipped. */
  readonly #isStale = (waiting: WaitingKey) => this.#waiting.get(waiting.id) !== waiting
  readonly #lanes = { live: new FairLane(this.#isStale), background: new FairLane(this.#isStale) }
  readonly #sizes = { live: 0, background: 0 }
  #row = 0

  get size(): number {
    return this.#waiting.size
  }

  /** How many keys of a priority wait. */
  sizeOf(priority: Priority): number {
    return this.#sizes[priority]
  }

  /** Whether a key waits; `id` is its `formatKey`. */
  has(id: string): boolean {
    return this.#waiting.has(id)
  }

  /** Lets a key wait; one that waits in the background moves up when it is rung by a change. Answers whether it joined. */
  push(id: string, key: Key, { sinceMs, priority }: { sinceMs: number; priority: Priority }): boolean {
    const known = this.#waiting.get(id)
    if (known && (known.priority === 'live' || priority === 'background')) return false
    const waiting = { id, key, priority, sinceMs: known?.sinceMs ?? sinceMs }
    if (known) this.#sizes.background--
    this.#sizes[priority]++
    this.#waiting.set(id, waiting)
    this.#lanes[priority].push(waiting)
    return known === undefined
  }

  /** Takes the key whose turn it is, of a namespace that may be served. */
  shift(mayServe: (namespace: string) => boolean = () => true): WaitingKey | undefined {
    const [lane, other] = this.#lanesInTurn()
    const first = lane.shift(mayServe) ?? other.shift(mayServe)
    if (first === undefined) return undefined
    this.#waiting.delete(first.id)
    this.#sizes[first.priority]--
    this.#row = first.priority === 'live' ? this.#row + 1 : 0
    return first
  }

  clear(): void {
    this.#waiting.clear()
    this.#sizes.live = 0
    this.#sizes.background = 0
    for (const lane of Object.values(this.#lanes)) lane.clear()
  }

  #lanesInTurn(): [FairLane, FairLane] {
    const { live, background } = this.#lanes
    const isBackgroundsTurn = this.#row >= liveInARow
    return isBackgroundsTurn ? [background, live] : [live, background]
  }
}
