import type { Key } from '../kube/key.js'
import { AgeOrder } from './age-order.js'
import { FairLane } from './fair-lane.js'
import type { Priority, WaitingKey } from './waiting-key.js'

/**
 * The number of live keys in a row after which one background key is served, so that background keys also run in a busy
 * cluster.
 */
const liveInARow = 9

/**
 * The waiting time, in milliseconds, after which a background key counts as much as a live key: then the lanes are
 * served in turn.
 */
const agedAfterMs = 60_000

/** Options of {@link KeyLine.shift}. */
export interface ShiftOptions {
  /**
   * Whether keys of a namespace may be served now; default true. A namespace that may not be served keeps its place.
   */
  mayServe?: (namespace: string) => boolean
  /**
   * Whether a key may be served now; default true. A key that may not be served waits outside the line until {@link
   * KeyLine.rejoin}.
   */
  mayRun?: (waiting: WaitingKey) => boolean
  /** The present time, in milliseconds; default 0, when no key has aged. */
  nowMs?: number
}

/**
 * The order of waiting keys: live keys before background keys, and round-robin over namespaces within each lane, so
 * that one namespace does not block the others. Background keys that have waited for a minute are served in turn with
 * live keys.
 */
export class KeyLine {
  readonly #waiting = new Map<string, WaitingKey>()
  /** A key that moved to the other lane leaves a stale entry behind, which is skipped. */
  readonly #isStale = (waiting: WaitingKey) => this.#waiting.get(waiting.id) !== waiting
  readonly #lanes = { live: new FairLane(this.#isStale), background: new FairLane(this.#isStale) }
  readonly #sizes = { live: 0, background: 0 }
  readonly #backgroundByAge = new AgeOrder(this.#isStale)
  #liveInARow = 0

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

  /**
   * Adds a key; a waiting background key moves up when a change enqueues it. Returns whether the key was not waiting
   * before.
   */
  push(id: string, key: Key, { sinceMs, priority }: { sinceMs: number; priority: Priority }): boolean {
    const waitingBefore = this.#waiting.get(id)
    if (waitingBefore && (waitingBefore.priority === 'live' || priority === 'background')) return false
    const waiting = { id, key, priority, sinceMs: waitingBefore?.sinceMs ?? sinceMs }
    if (waitingBefore) this.#sizes.background--
    this.#sizes[priority]++
    this.#waiting.set(id, waiting)
    this.#lanes[priority].push(waiting)
    if (priority === 'background') this.#backgroundByAge.push(waiting, this.#sizes.background)
    return waitingBefore === undefined
  }

  /** Takes the next key that may be served. */
  shift({
    mayServe = () => true,
    mayRun = () => true,
    nowMs = 0,
  }: ShiftOptions = {}): WaitingKey | undefined {
    const [lane, other] = this.#lanesInTurn(nowMs)
    const shift = () => lane.shift(mayServe) ?? other.shift(mayServe)
    let first = shift()
    while (first && !mayRun(first)) first = shift()
    if (first === undefined) return undefined
    this.#waiting.delete(first.id)
    this.#sizes[first.priority]--
    this.#liveInARow = first.priority === 'live' ? this.#liveInARow + 1 : 0
    return first
  }

  /** Puts a key that {@link shift} has left out at the end of the line. */
  rejoin(id: string): void {
    const waiting = this.#waiting.get(id)
    if (waiting) this.#lanes[waiting.priority].push(waiting)
  }

  clear(): void {
    this.#waiting.clear()
    this.#sizes.live = 0
    this.#sizes.background = 0
    for (const lane of Object.values(this.#lanes)) lane.clear()
    this.#backgroundByAge.clear()
  }

  /** The two lanes, the one first that is served now. */
  #lanesInTurn(nowMs: number): [FairLane, FairLane] {
    const { live, background } = this.#lanes
    const isBackgroundsTurn = this.#liveInARow >= (this.#hasAged(nowMs) ? 1 : liveInARow)
    return isBackgroundsTurn ? [background, live] : [live, background]
  }

  /** Whether a background key has waited so long that both lanes are served in turn. */
  #hasAged(nowMs: number): boolean {
    const { oldest } = this.#backgroundByAge
    return oldest !== undefined && nowMs - oldest.sinceMs >= agedAfterMs
  }
}
