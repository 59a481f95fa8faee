import type { KubeObject } from '../../sdk/engine/kube/object.js'
import { Collection } from './collection.js'
import { type Change, Entry } from './entry.js'
import type { WritableStore } from './readable.js'

/** Options of {@link Store}. */
export interface StoreOptions {
  /** The revision before the first write, default 1. */
  firstRevision?: number
  /** The minimum number of changes that each collection keeps, default 10,000. */
  historySize?: number
}

/** The content of a store at one time. */
export interface StoreSnapshot {
  readonly revision: number
  /** The entries by collection, sorted by key. */
  readonly entries: ReadonlyMap<string, readonly Entry[]>
}

/**
 * The store of a server: collections of objects with one revision counter, the source of resourceVersions.
 * Revisions only grow, and every change has its own. The store does not validate objects.
 */
export class Store implements WritableStore {
  readonly #collections = new Map<string, Collection>()
  readonly #versions = new Map<string, string>()
  readonly #listeners = new Set<(storage: string, change: Change) => void>()
  readonly #historySize: number
  readonly #firstRevision: number
  #revision: number

  constructor({ firstRevision = 1, historySize = 10_000 }: StoreOptions = {}) {
    this.#firstRevision = firstRevision
    this.#revision = firstRevision
    this.#historySize = historySize
  }

  /** The revision of the last write. */
  get revision(): number {
    return this.#revision
  }

  /** The collection of a resource, created at its first use. */
  collection(storage: string): Collection {
    let collection = this.#collections.get(storage)
    if (collection === undefined) {
      collection = new Collection(this.#historySize, this.#firstRevision - 1)
      this.#collections.set(storage, collection)
    }
    return collection
  }

  /**
   * Writes an object with the next resourceVersion. The store owns the object from then on; callers must not change it.
   * Its metadata is copied, because it may be that of the previous entry.
   * Without a `version` the object is in that of {@link writeIn}, or else in that of the previous entry.
   */
  put(storage: string, key: string, object: KubeObject, version?: string): Entry {
    const collection = this.collection(storage)
    const previous = collection.get(key)
    const entry = this.#nextEntry(key, object, version ?? this.#versions.get(storage) ?? previous?.version)
    const change: Change =
      previous === undefined ? { type: 'ADDED', entry } : { type: 'MODIFIED', entry, previous }
    this.#apply(storage, collection, change)
    return entry
  }

  /** Removes an object and returns its last state with the revision of the deletion. */
  remove(storage: string, previous: Entry, last: KubeObject = previous.object): Entry {
    const entry = this.#nextEntry(previous.key, last, previous.version)
    this.#apply(storage, this.collection(storage), { type: 'DELETED', entry, previous })
    return entry
  }

  /** Sets the version of later writes to a collection; with `undefined` each object stays in its own version. */
  writeIn(storage: string, version: string | undefined): void {
    if (version === undefined) this.#versions.delete(storage)
    else this.#versions.set(storage, version)
  }

  /**
   * Records the version of each object of a collection, which so far followed from its revision. The objects do not
   * change, so that no reader sees a difference.
   */
  recordVersions(storage: string, versionOf: (entry: Entry) => string | undefined): void {
    const collection = this.collection(storage)
    for (const entry of [...collection.scan()]) {
      const version = versionOf(entry)
      if (version === entry.version) continue
      collection.substitute(new Entry(entry.key, entry.object, entry.revision, version))
    }
  }

  #nextEntry(key: string, object: KubeObject, version: string | undefined): Entry {
    this.#revision += 1
    const metadata = { ...object.metadata, resourceVersion: String(this.#revision) }
    return new Entry(key, { ...object, metadata }, this.#revision, version)
  }

  #apply(storage: string, collection: Collection, change: Change): void {
    collection.apply(change)
    for (const listener of this.#listeners) listener(storage, change)
  }

  /** Drops all history: older watches and continue tokens get 410 from then on. */
  compact(): void {
    for (const collection of this.#collections.values()) collection.compact(this.#revision)
  }

  /** The current content. Costs little, because entries never change. */
  snapshot(): StoreSnapshot {
    const entries = [...this.#collections].map(([storage, each]) => [storage, [...each.scan()]] as const)
    return { revision: this.#revision, entries: new Map(entries) }
  }

  /**
   * Replaces the content by a snapshot: revisions continue from the snapshot's, and the history is dropped.
   * Listeners are not called.
   */
  restore({ revision, entries }: StoreSnapshot): void {
    this.#revision = revision
    for (const storage of entries.keys()) this.collection(storage)
    for (const [storage, each] of this.#collections) each.reset(entries.get(storage) ?? [], revision)
  }

  /** Calls the listener after every change of any collection; the returned function removes it. */
  onChange(listener: (storage: string, change: Change) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}
