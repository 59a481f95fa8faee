/**
 * The last known state of one kind in one cluster: filled by one watch, read by everybody.
 *
 * It promises that a reader sees our own writes as soon as they are noted and never anything older
 * afterwards, that a relist touches what went while nobody watched, and that it is up to date when the
 * touched objects are handed out. Objects in it are shared: treat them as frozen. It leaves the watching to
 * `watch/`, the sharing to `stores.ts`, and when to act on what it holds to the controller.
 */
import { PluginError } from '../kube/error.js'
import { cloneJson } from '../kube/json.js'
import { formatKey, type Key, keyOf } from '../kube/key.js'
import type { KubeObject } from '../kube/object.js'
import { isEarlier, isLater, laterOf } from '../kube/resource-version.js'
import { type Logger, silentLogger } from '../observe/logger.js'
import { type Clock, systemClock } from '../time/clock.js'
import type { WatchEvent } from '../watch/event.js'
import { ObjectIndex } from './object-index.js'
import { hides, isSettledAt, type OwnWrite, OwnWrites, outlives } from './own-writes.js'

type Of<Type extends WatchEvent['type']> = Extract<WatchEvent, { type: Type }>

/** What a store says changed. The store is already up to date. */
export interface Touched<T extends KubeObject = KubeObject> {
  readonly key: Key
  /** The object as it is now; the last known state of one that is gone. */
  readonly object: T
  /** What the store held before. Another UID means that the object was deleted and made anew in between. */
  readonly previous?: T
  readonly gone: boolean
}

/** Which objects of a kind a store holds. */
export interface StoreScope {
  /** One namespace, or `''` for all; default the cluster's own choice. Cluster-scoped kinds have none. */
  namespace?: string
}

/** Options of {@link Store}. */
export interface StoreOptions {
  /** Told of index functions that throw; default silent. */
  logger?: Logger
  /** Measures how long the watch takes to tell of our own writes; default the machine's clock. */
  clock?: Clock
  /** Told of that time, in milliseconds, for each write; default nobody. */
  onConfirmed?: (tookMs: number) => void
}

/** Writes of ours that the watch has not told of yet. */
export interface Unconfirmed {
  readonly count: number
  /** How long the oldest has been waited for, in milliseconds; 0 when there is none. */
  readonly oldestMs: number
}

/** The last known state of one kind; see above. */
export class Store<T extends KubeObject = KubeObject> {
  readonly #logger: Logger
  /** What readers see, by `formatKey`. */
  readonly #objects = new Map<string, T>()
  readonly #own: OwnWrites<T>
  readonly #indices = new Map<string, ObjectIndex<T>>()
  readonly #waiters = new Set<() => void>()
  /** What was known when the list under way began, and has not been named by it so far. */
  #unlisted = new Set<string>()
  #listsBegun = 0
  #resourceVersion: string | undefined
  #synced = false
  #served = true
  #leftOut = 0

  constructor({ logger = silentLogger, clock = systemClock, onConfirmed = () => {} }: StoreOptions = {}) {
    this.#logger = logger
    this.#own = new OwnWrites({ clock, onConfirmed })
  }

  /** How many objects there are. */
  get size(): number {
    return this.#objects.size
  }

  /** Whether the first list is in and nothing was left out since: until then, absence means nothing. */
  get synced(): boolean {
    return this.#synced
  }

  /** How many objects and changes were left out because memory is short. A list brings them when there is room again. */
  get leftOut(): number {
    return this.#leftOut
  }

  /** How far the watch has come; `undefined` before the first list. */
  get resourceVersion(): string | undefined {
    return this.#resourceVersion
  }

  /** The latest moment that it knows anything of: by its watch, or by the answer to a write of ours. */
  get latestKnown(): string | undefined {
    return laterOf(this.#resourceVersion, this.#own.resourceVersion)
  }

  /** The writes of ours that the watch has not told of yet; readers see them all the same. */
  get unconfirmed(): Unconfirmed {
    return { count: this.#own.size, oldestMs: this.#own.oldestMs }
  }

  /** The object of that name. */
  get(key: Key): T | undefined {
    return this.#objects.get(formatKey(key))
  }

  /** Every object, or those of one namespace (found by looking at all of them). */
  list(namespace?: string): T[] {
    const objects = [...this.#objects.values()]
    return namespace === undefined
      ? objects
      : objects.filter(({ metadata }) => metadata.namespace === namespace)
  }

  /**
   * Files every object, now and from now on, under the values that `valuesOf` computes from it; find them with
   * {@link byIndex}. An object whose values cannot be computed is in no place of the index, and that is logged.
   *
   * @throws `PluginError` with code `DUPLICATE_INDEX` if there is an index of that name
   */
  addIndex(name: string, valuesOf: (object: T) => readonly string[]): void {
    if (this.#indices.has(name)) {
      throw new PluginError('DUPLICATE_INDEX', `an index named "${name}" exists already: choose another name`)
    }
    const index = new ObjectIndex(valuesOf)
    this.#indices.set(name, index)
    for (const [id, object] of this.#objects) this.#file(name, id, object)
  }

  /**
   * The objects that an index files under a value.
   *
   * @throws `PluginError` with code `UNKNOWN_INDEX` if there is no index of that name
   */
  byIndex(name: string, value: string): T[] {
    const index = this.#indices.get(name)
    if (index) return index.get(value)
    throw new PluginError(
      'UNKNOWN_INDEX',
      `there is no index "${name}": add it with addIndex in registerIndices`,
    )
  }

  /** Whether the API server serves the kind, as far as is known; what the store holds of one that it does not is what it was. */
  get served(): boolean {
    return this.#served
  }

  /** Resolves once the first list is in, or rejects with the signal's reason. */
  whenSynced(signal?: AbortSignal): Promise<void> {
    return this.#when(() => this.#synced, signal)
  }

  /** The same, and the kind is served. */
  whenServed(signal?: AbortSignal): Promise<void> {
    return this.#when(() => this.#synced && this.#served, signal)
  }

  /** Resolves once the first list is in or it is known that there is none, because the kind is not served. */
  whenAnswered(signal?: AbortSignal): Promise<void> {
    return this.#when(() => this.#synced || !this.#served, signal)
  }

  #when(holds: () => boolean, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      if (holds()) return resolve()
      const look = () => {
        if (!holds()) return
        this.#waiters.delete(look)
        signal?.removeEventListener('abort', onAbort)
        resolve()
      }
      const onAbort = () => {
        this.#waiters.delete(look)
        reject(signal?.reason)
      }
      this.#waiters.add(look)
      signal?.addEventListener('abort', onAbort, { once: true })
    })
  }

  /** Takes in what the watch says and returns what that changed for readers. For the store's one watch alone. */
  apply(event: WatchEvent<T>): Touched<T>[] {
    switch (event.type) {
      case 'listStarted':
        this.#unlisted = new Set([...this.#objects.keys(), ...this.#own.keys()])
        this.#listsBegun++
        this.#leftOut = 0
        return []
      case 'listed':
        this.#unlisted.delete(formatKey(keyOf(event.object)))
        return this.#applied(event.object)
      case 'listDone':
        return this.#listDone(event)
      case 'applied':
        this.#advance(event.object.metadata.resourceVersion)
        return this.#applied(event.object)
      case 'deleted':
        this.#advance(event.object.metadata.resourceVersion)
        return this.#deleted(event.object)
      case 'bookmark':
        this.#advance(event.resourceVersion)
        return this.#settle((own) => isSettledAt(own, event.resourceVersion))
      case 'unserved':
        this.#served = false
        this.#lookAgain()
        return []
      case 'leftOut':
        this.#leaveOut(formatKey(event.key))
        return []
    }
  }

  /**
   * Shows an object as the API server answered our own write, until the watch has come as far; what the watch
   * knows already is newer and stays.
   */
  noteWritten(object: T): void {
    const id = formatKey(keyOf(object))
    const { uid, resourceVersion } = object.metadata
    const own = this.#own.get(id)
    const shown = this.#objects.get(id)
    const latest = [this.#resourceVersion, shown?.metadata.resourceVersion]
    if (resourceVersion === undefined || latest.some((known) => isCoveredBy(resourceVersion, known))) return
    if (own !== undefined && own.resourceVersion === undefined && own.uid === uid) return
    this.#own.note(id, { uid, resourceVersion, listsBegun: this.#listsBegun, seen: own ? own.seen : shown })
    this.#put(id, storable(object))
  }

  /**
   * Hides an object that the API server has removed for us, until the watch says so too; also from late news
   * about it. An object of the same name but another UID is not affected, nor is any if the UID is not known.
   */
  noteDeleted({ key, uid }: { key: Key; uid: string | undefined }): void {
    const id = formatKey(key)
    const shown = this.#objects.get(id)
    if (shown === undefined || uid === undefined || shown.metadata.uid !== uid) return
    const own = this.#own.get(id)
    const seen = own ? own.seen : shown
    this.#own.note(id, { uid, resourceVersion: undefined, listsBegun: this.#listsBegun, seen })
    this.#remove(id)
  }

  #leaveOut(id: string): void {
    this.#unlisted.delete(id)
    this.#leftOut++
    this.#synced = false
  }

  #lookAgain(): void {
    for (const look of [...this.#waiters]) look()
  }

  #advance(resourceVersion: string | undefined): void {
    if (!isEarlier(resourceVersion, this.#resourceVersion)) this.#resourceVersion = resourceVersion
  }

  #applied(object: T): Touched<T>[] {
    const id = formatKey(keyOf(object))
    const own = this.#own.get(id)
    if (own !== undefined && hides(own, object)) {
      own.seen = object
      return []
    }
    this.#own.confirm(id)
    return [this.#put(id, object)]
  }

  #deleted(object: T): Touched<T>[] {
    const id = formatKey(keyOf(object))
    const own = this.#own.get(id)
    if (own !== undefined && outlives(own, object)) {
      own.seen = undefined
      return []
    }
    this.#own.confirm(id)
    const previous = this.#remove(id)
    return [{ key: keyOf(object), object, ...(previous && { previous }), gone: true }]
  }

  #listDone({ resourceVersion, restored }: Of<'listDone'>): Touched<T>[] {
    const isRestored = isEarlier(resourceVersion, this.#resourceVersion)
    for (const [id, own] of this.#own) if (this.#unlisted.has(id)) own.seen = undefined
    const settled = this.#settle(
      (own) =>
        isRestored ||
        isSettledAt(own, resourceVersion) ||
        // A restored cluster counts on from before, so that a list may be later than a write it does not have.
        ((restored === true || own.resourceVersion === undefined) && own.listsBegun < this.#listsBegun),
    )
    const gone = [...this.#unlisted].filter((id) => !this.#own.has(id)).flatMap((id) => this.#gone(id))
    this.#unlisted.clear()
    this.#resourceVersion = resourceVersion
    this.#synced = this.#leftOut === 0
    this.#served = true
    this.#lookAgain()
    return [...settled, ...gone]
  }

  /** Ends those own writes that the watch has caught up with, and shows what the watch says. */
  #settle(isSettled: (own: OwnWrite<T>) => boolean): Touched<T>[] {
    const touched: Touched<T>[] = []
    for (const [id, own] of this.#own) {
      if (!isSettled(own)) continue
      this.#own.confirm(id)
      if (own.seen === undefined) touched.push(...this.#gone(id))
      else if (own.seen !== this.#objects.get(id)) touched.push(this.#put(id, own.seen))
    }
    return touched
  }

  #gone(id: string): Touched<T>[] {
    const previous = this.#remove(id)
    return previous ? [{ key: keyOf(previous), object: previous, previous, gone: true }] : []
  }

  #put(id: string, object: T): Touched<T> {
    const previous = this.#objects.get(id)
    this.#objects.set(id, object)
    for (const name of this.#indices.keys()) this.#file(name, id, object)
    return { key: keyOf(object), object, ...(previous && { previous }), gone: false }
  }

  #remove(id: string): T | undefined {
    const previous = this.#objects.get(id)
    this.#objects.delete(id)
    for (const index of this.#indices.values()) index.remove(id)
    return previous
  }

  #file(name: string, id: string, object: T): void {
    try {
      this.#indices.get(name)?.put(id, object)
    } catch (error) {
      this.#logger.error(
        { index: name, key: id, error },
        'an index function threw; the object is not in the index',
      )
    }
  }
}

function isCoveredBy(resourceVersion: string, known: string | undefined): boolean {
  return resourceVersion === known || isLater(known, resourceVersion)
}

/** A copy of its own: whoever made the write may go on to change the answer. */
function storable<T extends KubeObject>(object: T): T {
  const { managedFields: _, ...metadata } = object.metadata
  return cloneJson({ ...object, metadata })
}
