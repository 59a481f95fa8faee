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
  readonly #held = new Map<string, string>()
  /** The group that each further key waits for. */
  readonly #awaited = new Map<string, string>()
  /** The waiting keys of each group, the next key first. Some of them may have left the group. */
  readonly #lines = new Map<string, Fifo<string>>()

  constructor(options: KeyGroupsOptions) {
    this.#options = options
  }

  /** Whether a key may be served now. If not, `onTurn` is called when its turn comes. */
  enter({ id, key }: WaitingKey): boolean {
    const group = this.#options.groupOf(key)
    if (this.#held.get(id) !== group) this.leave(id)
    const holder = group === undefined ? undefined : this.#holders.get(group)
    const isFree = holder === undefined || holder === id
    if (isFree) this.#awaited.delete(id)
    if (group !== undefined) this.#join(group, id, isFree)
    return isFree
  }

  /** Gives up the group that a key holds, if any, and calls `onTurn` with the next key of the group. */
  leave(id: string): void {
    const group = this.#held.get(id)
    if (group === undefined) return
    this.#held.delete(id)
    this.#holders.delete(group)
    const next = this.#nextOf(group)
    if (next === undefined) return
    this.#awaited.delete(next)
    this.#hold(group, next)
    this.#options.onTurn(next)
  }

  clear(): void {
    for (const map of [this.#holders, this.#held, this.#awaited, this.#lines]) map.clear()
  }

  #join(group: string, id: string, isFree: boolean): void {
    if (isFree) this.#hold(group, id)
    else this.#await(group, id)
  }

  #hold(group: string, id: string): void {
    this.#holders.set(group, id)
    this.#held.set(id, group)
  }

  #await(group: string, id: string): void {
    if (this.#awaited.get(id) === group) return
    this.#awaited.set(id, group)
    const line = this.#lines.get(group)
    if (line) line.push(id)
    else this.#lines.set(group, new Fifo(id))
  }

  #nextOf(group: string): string | undefined {
    const line = this.#lines.get(group)
    const next = line?.shiftUntil((id) => this.#awaited.get(id) === group)
    if (!line?.size) this.#lines.delete(group)
    return next
  }
}
