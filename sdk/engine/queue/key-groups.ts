import type { Key } from '../kube/key.js'
import { Fifo } from './fifo.js'
import type { WaitingKey } from './waiting-key.js'

/** Options of {@link KeyGroups}. */
export interface KeyGroupsOptions {
  /** Returns the group of a key that is about to be served; undefined for a key that waits for no other key. */
  groupOf: (key: Key) => string | undefined
  /** Called with a key, by its `formatKey`, whose turn in its group has come. */
  onTurn: (id: string) => void
}

/**
 * Lets keys of one group take turns: one key of a group is served at a time, in the order of their {@link enter} calls.
 * The key whose turn comes next holds the group already while it waits for a worker, so that later keys cannot overtake
 * it.
 */
export class KeyGroups {
  readonly #options: KeyGroupsOptions
  /** The key that holds each group. */
  readonly #holders = new Map<string, string>()
  /** The group that each holder holds. */
  readonly #groupOfHolder = new Map<string, string>()
  /** The group that each further key waits for. */
  readonly #groupOfWaiting = new Map<string, string>()
  /** The waiting keys of each group, the next key first. Some of them may have left the group. */
  readonly #lines = new Map<string, Fifo<string>>()

  constructor(options: KeyGroupsOptions) {
    this.#options = options
  }

  /** Whether a key may be served now. If not, `onTurn` is called when its turn comes. */
  enter({ id, key }: WaitingKey): boolean {
    const group = this.#options.groupOf(key)
    if (this.#groupOfHolder.get(id) !== group) this.leave(id)
    const holder = group === undefined ? undefined : this.#holders.get(group)
    const isFree = holder === undefined || holder === id
    if (isFree) this.#groupOfWaiting.delete(id)
    if (group !== undefined) this.#join(group, id, isFree)
    return isFree
  }

  /** Gives up the group that a key holds, if any, and calls `onTurn` with the next key of the group. */
  leave(id: string): void {
    const group = this.#groupOfHolder.get(id)
    if (group === undefined) return
    this.#groupOfHolder.delete(id)
    this.#holders.delete(group)
    const next = this.#takeNext(group)
    if (next === undefined) return
    this.#groupOfWaiting.delete(next)
    this.#setHolder(group, next)
    this.#options.onTurn(next)
  }

  clear(): void {
    for (const map of [this.#holders, this.#groupOfHolder, this.#groupOfWaiting, this.#lines]) map.clear()
  }

  /** Makes a key the holder of a group, or adds it to the keys that wait for the group. */
  #join(group: string, id: string, isFree: boolean): void {
    if (isFree) this.#setHolder(group, id)
    else this.#addToLine(group, id)
  }

  #setHolder(group: string, id: string): void {
    this.#holders.set(group, id)
    this.#groupOfHolder.set(id, group)
  }

  #addToLine(group: string, id: string): void {
    if (this.#groupOfWaiting.get(id) === group) return
    this.#groupOfWaiting.set(id, group)
    const line = this.#lines.get(group)
    if (line) line.push(id)
    else this.#lines.set(group, new Fifo(id))
  }

  /** Removes the key of a group whose turn is next, and returns it. */
  #takeNext(group: string): string | undefined {
    const line = this.#lines.get(group)
    const next = line?.shiftUntil((id) => this.#groupOfWaiting.get(id) === group)
    if (!line?.size) this.#lines.delete(group)
    return next
  }
}
