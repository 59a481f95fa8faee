import type { Key } from '../kube/key.js'
import { FairLane } from './fair-lane.js'
import type { Priority, WaitingKey } from './waiting-key.js'

/** After this many live keys in a row one background key is served, so that a busy cluster serves all of them, too. */
const liveInARow = 9

/**
 * The order of waiting keys: keys of changes before background keys, and round-robin over namespaces within each, so that one
 * namespace does not block the others.
 */
export class KeyLine {
  readonly #waiting = new Map<string, WaitingKey>()
  /** A key that moved to the other lane leaves a stale entry behind, which is skipped. */
  readonly #isStale = (waiting: WaitingKey) => this.#waiting.get(waiting.id) !== waiting
  readonly #lanes = { live: new FairLane(this.#isStale), background: new FairLane(this.#isStale) }
  readonly #sizes = { live: 0, background: 0 }
  #row = 0

  get size(): number {
    return this.#waiting.size
  }

  /** The number of waiting keys of a priority. */
  sizeOf(priority: Priority): number {
    return this.#sizes[priority]
  }

  /** Whether a key waits; `id` is its `formatKey`. */
  has(id: string): boolean {
    return this.#waiting.has(id)
  }

  /** Adds a key; a waiting background key moves up when a change enqueues it. Returns whether the key was not waiting before. */
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

  /** Takes the next key of a namespace that may be served. */
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
