import type { Change, Entry } from '../store/entry.js'
import type { ReadableCollection, ReadableStore } from '../store/readable.js'

/** Options of {@link PastStore}. */
export interface VisibleRevision {
  /** The last visible revision. */
  readonly revision: number
  /** Aborts when the current state is visible again. */
  readonly released: AbortSignal
}

/** A store as it was at a revision; once released, as it is. */
export class PastStore implements ReadableStore {
  readonly #store: ReadableStore
  readonly #past: VisibleRevision

  constructor(store: ReadableStore, past: VisibleRevision) {
    this.#store = store
    this.#past = past
  }

  get revision(): number {
    if (this.#past.released.aborted) return this.#store.revision
    return Math.min(this.#past.revision, this.#store.revision)
  }

  collection(storage: string): ReadableCollection {
    return new PastCollection(this.#store.collection(storage), this.#past)
  }
}

class PastCollection implements ReadableCollection {
  readonly #collection: ReadableCollection
  readonly #past: VisibleRevision

  constructor(collection: ReadableCollection, past: VisibleRevision) {
    this.#collection = collection
    this.#past = past
  }

  get compactedRevision(): number {
    return this.#collection.compactedRevision
  }

  get(key: string): Entry | undefined {
    return this.#entries().find((entry) => entry.key === key)
  }

  scan(prefix = '', after = ''): Entry[] {
    return this.#entries().filter(({ key }) => key.startsWith(prefix) && (after === '' || key > after))
  }

  countAfter(prefix: string, after: string): number {
    return this.scan(prefix, after).length
  }

  snapshotAt(revision: number): Entry[] {
    return this.#collection.snapshotAt(revision)
  }

  cursorAfter(revision: number): number {
    return this.#collection.cursorAfter(revision)
  }

  changesFrom(cursor: number, limit: number): readonly Change[] | undefined {
    const changes = this.#collection.changesFrom(cursor, limit)
    if (changes === undefined || this.#past.released.aborted) return changes
    const beyond = changes.findIndex(({ entry }) => entry.revision > this.#past.revision)
    return beyond < 0 ? changes : changes.slice(0, beyond)
  }

  onChange(listener: () => void): () => void {
    const { released } = this.#past
    const stop = this.#collection.onChange(listener)
    released.addEventListener('abort', listener, { once: true })
    return () => {
      stop()
      released.removeEventListener('abort', listener)
    }
  }

  #entries(): Entry[] {
    const { revision, released } = this.#past
    if (released.aborted) return [...this.#collection.scan()]
    if (revision >= this.compactedRevision) return this.snapshotAt(revision)
    throw new Error(
      `a fault rule asks for the objects as of resourceVersion ${revision}, but history begins at ${this.compactedRevision}; make the server's historySize larger`,
    )
  }
}
