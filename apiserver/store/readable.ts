import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { Change, Entry } from './entry.js'

/** The part of a `Collection` that gets, lists and watches read. */
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

/** The store that a request reads from: the current one, or a view of its past. */
export interface ReadableStore {
  /** The last visible revision. */
  readonly revision: number
  collection(storage: string): ReadableCollection
}

/** A collection with its present size. */
export interface SizedCollection extends ReadableCollection {
  readonly size: number
}

/** The store that a request writes to: the current one, or a view of it in another version. */
export interface WritableStore extends ReadableStore {
  collection(storage: string): SizedCollection
  put(storage: string, key: string, object: KubeObject, version?: string): Entry
  remove(storage: string, previous: Entry, last?: KubeObject): Entry
}
