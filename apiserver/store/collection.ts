import type { Change, Entry } from './entry.js'

/** The index of `key` in sorted keys, or the index to insert it at. */
function positionOf(keys: readonly string[], key: string): number {
  let low = 0
  let high = keys.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((keys[middle] ?? '') < key) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * All objects of one resource, sorted by key, and a bounded history of their changes. Readers of the history
 * hold a cursor into it; nothing is queued per reader.
 */
export class Collection {
  readonly #entries = new Map<string, Entry>()
  readonly #keys: string[] = []
  readonly #listeners = new Set<() => void>()
  readonly #historySize: number
  #log: Change[] = []
  #droppedChanges = 0
  #compactedRevision: number

  /** `compactedRevision` is the revision before the first one in history. */
  constructor(historySize: number, compactedRevision: number) {
    this.#historySize = historySize
    this.#compactedRevision = compactedRevision
  }

  get(key: string): Entry | undefined {
    return this.#entries.get(key)
  }

  get size(): number {
    return this.#entries.size
  }

  /** The revision after which the history is complete. */
  get compactedRevision(): number {
    return this.#compactedRevision
  }

  /** The entries, sorted by key, whose keys start with `prefix` and sort after the key `after`. */
  *scan(prefix = '', after = ''): Generator<Entry> {
    const from = after > prefix ? after : prefix
    for (let index = positionOf(this.#keys, from); index < this.#keys.length; index++) {
      const key = this.#keys[index] ?? ''
      if (!key.startsWith(prefix)) return
      const entry = this.#entries.get(key)
      if (entry !== undefined && (after === '' || key > after)) yield entry
    }
  }

  /** The number of keys that start with `prefix` and come after `after`, which is one of them. */
  countAfter(prefix: string, after: string): number {
    // No key contains a character as high as this one.
    return positionOf(this.#keys, `${prefix}\uffff`) - positionOf(this.#keys, after) - 1
  }

  /** Replaces an entry by one with the same object and revision, without a change in the history. */
  substitute(entry: Entry): void {
    this.#entries.set(entry.key, entry)
  }

  /** Applies a change and calls the listeners. */
  apply(change: Change): void {
    const { key } = change.entry
    if (change.type === 'DELETED') {
      this.#entries.delete(key)
      this.#keys.splice(positionOf(this.#keys, key), 1)
    } else {
      if (change.type === 'ADDED') this.#keys.splice(positionOf(this.#keys, key), 0, key)
      this.#entries.set(key, change.entry)
    }
    this.#remember(change)
    for (const listener of this.#listeners) listener()
  }

  #remember(change: Change): void {
    this.#log.push(change)
    // Half of the history is dropped at a time, so that the cost per change is constant.
    if (this.#log.length < 2 * this.#historySize) return
    const forgotten = this.#log.splice(0, this.#log.length - this.#historySize)
    this.#droppedChanges += forgotten.length
    this.#compactedRevision = forgotten.at(-1)?.entry.revision ?? this.#compactedRevision
  }

  /** Drops all history, like a compaction of etcd; watches that have read all of it continue. */
  compact(revision: number): void {
    this.#droppedChanges += this.#log.length
    this.#log = []
    this.#compactedRevision = revision
  }

  /**
   * Replaces all entries by those of a snapshot, without history; readers of the history must start again.
   */
  reset(entries: readonly Entry[], revision: number): void {
    this.#entries.clear()
    this.#keys.length = 0
    for (const entry of entries) {
      this.#entries.set(entry.key, entry)
      this.#keys.push(entry.key)
    }
    this.compact(revision)
  }

  /** The cursor of the first change after `revision`, which must not be below {@link compactedRevision}. */
  cursorAfter(revision: number): number {
    let position = this.#log.length
    while (position > 0 && (this.#log[position - 1]?.entry.revision ?? 0) > revision) position--
    return this.#droppedChanges + position
  }

  /** Up to `limit` changes from a cursor; `undefined` if they were dropped. */
  changesFrom(cursor: number, limit: number): readonly Change[] | undefined {
    const start = cursor - this.#droppedChanges
    return start < 0 ? undefined : this.#log.slice(start, start + limit)
  }

  /** The entries at an earlier revision, which must not be below {@link compactedRevision}. */
  snapshotAt(revision: number): Entry[] {
    const entries = new Map(this.#entries)
    for (let index = this.#log.length - 1; index >= 0; index--) {
      const change = this.#log[index]
      if (change === undefined || change.entry.revision <= revision) break
      if (change.previous === undefined) entries.delete(change.entry.key)
      else entries.set(change.entry.key, change.previous)
    }
    return [...entries.values()].sort((a, b) => (a.key < b.key ? -1 : 1))
  }

  /** Calls the listener after every change; the returned function removes it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}
