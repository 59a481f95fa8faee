import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { OpenObject } from '../base/object.js'
import { ConversionRequired, type Converter } from '../resources/converter.js'
import type { Change, Entry } from '../store/entry.js'
import type { ReadableCollection, ReadableStore, SizedCollection, WritableStore } from '../store/readable.js'

/** A collection as a request sees it: in the version of the request. */
export interface ConvertedView {
  readonly storage: string
  readonly version: string
  readonly converter: Converter
  /**
   * The entries that the request has read one by one. A real server converts these again, and others in its watch
   * cache.
   */
  readonly rereadEntries: WeakMap<Entry, Entry>
}

/** The maximum number of objects that a list converts at a time. */
const maxBatchObjects = 500

/** A store to read from, with one collection in the version of a request. Reading throws `ConversionRequired`. */
export class ConvertedReads implements ReadableStore {
  readonly #store: ReadableStore
  readonly #view: ConvertedView

  constructor(store: ReadableStore, view: ConvertedView) {
    this.#store = store
    this.#view = view
  }

  get revision(): number {
    return this.#store.revision
  }

  collection(storage: string): ReadableCollection {
    const collection = this.#store.collection(storage)
    return storage === this.#view.storage ? new ReconvertingCollection(collection, this.#view) : collection
  }
}

/**
 * A store with one collection in the version of a request; objects that it stores must be prepared by the converter.
 */
export class ConvertedStore implements WritableStore {
  readonly #store: WritableStore
  readonly #view: ConvertedView

  constructor(store: WritableStore, view: ConvertedView) {
    this.#store = store
    this.#view = view
  }

  get revision(): number {
    return this.#store.revision
  }

  collection(storage: string): SizedCollection {
    const collection = this.#store.collection(storage)
    if (storage !== this.#view.storage) return collection
    return Object.assign(new ConvertedCollection(collection, this.#view), { size: collection.size })
  }

  put(storage: string, key: string, object: KubeObject): Entry {
    if (storage !== this.#view.storage) return this.#store.put(storage, key, object)
    const { converter, version } = this.#view
    const writtenObject = object as OpenObject
    const stored = converter.preparedForm(writtenObject, version)
    return converter.rememberWritten(
      this.#store.put(storage, key, stored, converter.storageVersion),
      writtenObject,
      version,
    )
  }

  remove(storage: string, previous: Entry, last?: KubeObject): Entry {
    if (storage !== this.#view.storage) return this.#store.remove(storage, previous, last)
    const stored = this.#store.collection(storage).get(previous.key)
    const { revision } = this.#store.remove(storage, stored ?? previous)
    return previous.at(revision)
  }
}

class ConvertedCollection implements ReadableCollection {
  readonly #collection: ReadableCollection
  readonly #view: ConvertedView

  constructor(collection: ReadableCollection, view: ConvertedView) {
    this.#collection = collection
    this.#view = view
  }

  get compactedRevision(): number {
    return this.#collection.compactedRevision
  }

  get(key: string): Entry | undefined {
    const entry = this.#collection.get(key)
    return entry && (this.#view.rereadEntries.get(entry) ?? this.#views([entry])[0])
  }

  *scan(prefix?: string, after?: string): Iterable<Entry> {
    const entries = [...this.#collection.scan(prefix, after)]
    for (let index = 0; index < entries.length; index += maxBatchObjects)
      yield* this.#views(entries.slice(index, index + maxBatchObjects))
  }

  countAfter(prefix: string, after: string): number {
    return this.#collection.countAfter(prefix, after)
  }

  snapshotAt(revision: number): Entry[] {
    return this.#views(this.#collection.snapshotAt(revision))
  }

  cursorAfter(revision: number): number {
    return this.#collection.cursorAfter(revision)
  }

  changesFrom(cursor: number, limit: number): readonly Change[] | undefined {
    const changes = this.#collection.changesFrom(cursor, limit)
    if (changes === undefined) return undefined
    const entries = changes.flatMap(({ entry, previous }) =>
      previous === undefined ? [entry] : [entry, previous],
    )
    const views = new Map(this.#views(entries).map((view, index) => [entries[index], view]))
    const viewOf = (entry: Entry) => views.get(entry) ?? entry
    return changes.map(({ type, entry, previous }) => ({
      type,
      entry: viewOf(entry),
      ...(previous === undefined ? {} : { previous: viewOf(previous) }),
    }))
  }

  onChange(listener: () => void): () => void {
    return this.#collection.onChange(listener)
  }

  #views(entries: readonly Entry[]): Entry[] {
    const { converter, version } = this.#view
    return converter.entriesIn(entries, version)
  }
}

/** A collection whose `get` converts an object again for each request, but only once for one request. */
class ReconvertingCollection extends ConvertedCollection {
  readonly #stored: ReadableCollection
  readonly #seenIn: ConvertedView

  constructor(stored: ReadableCollection, view: ConvertedView) {
    super(stored, view)
    this.#stored = stored
    this.#seenIn = view
  }

  override get(key: string): Entry | undefined {
    const entry = this.#stored.get(key)
    if (entry === undefined) return undefined
    const { rereadEntries, converter, version } = this.#seenIn
    const read = rereadEntries.get(entry)
    if (read !== undefined) return read
    throw new ConversionRequired(async () => {
      rereadEntries.set(entry, await converter.readAgain(entry, version))
    })
  }
}
