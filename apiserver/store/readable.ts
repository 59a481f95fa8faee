import type { Change, Entry } from './entry.js'

/** What a list, a get and a watch need of a collection; see `Collection` for what each member promises. */
export interface ReadableCollection {
  readonly compactedRevision: number
  get(key: string): Entry | undefined
  scan(prefix?: string, after?: string): Iterable<Entry>
  countAfter(prefix: string, after: string): number
  snapshotAt(revision: number): Entry[]
  cursorAfter(revision: number): number
  changesFrom(cursor: number, limit: number): readonly Change[] | undefined
  onChange(listener: () => void): () => void
}

/** Where a request reads from: the store as it is now, or a view of it as it was. */
export interface ReadableStore {
  /** The last revision that can be seen. */
  readonly revision: number
  collection(storage: string): ReadableCollection
}
