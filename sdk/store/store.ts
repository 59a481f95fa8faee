/**
 * The cache of one kind in one cluster: filled by one watch, read by any number of readers.
 *
 * A reader sees an own write as soon as it is noted, and never an older state afterwards. A relist reports objects that were
 * deleted while no watch was open. A change is emitted after the store has it. Objects in a store are shared: treat them as
 * frozen. `watch/` watches, `stores.ts` shares one store between callers, and the controller decides when to act.
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

/** A change of a store. The store has the change already. */
export interface Change<T extends KubeObject = KubeObject> {
  readonly key: Key
  /** The object as it is now; if it is gone, its last known state. */
  readonly object: T
  /** The object that the store held before. Another UID means that the object was deleted and created again. */
  readonly previous?: T
  readonly gone: boolean
}

/** The objects of a kind that a store holds. */
export interface StoreScope {
  /** One namespace, or `''` for all; default that of the cluster. Cluster-scoped kinds ignore it. */
  namespace?: string
}

/** Options of {@link Store}. */
export interface StoreOptions {
  /** Logs index functions that throw; default silent. */
  logger?: Logger
  /** Measures how long the watch takes to confirm own writes; default the machine's clock. */
  clock?: Clock
  /** Called with that time, in milliseconds, for each own write; default none. */
  onConfirmed?: (tookMs: number) => void
}

/** Own writes that the watch has not confirmed yet. */
export interface Unconfirmed {
  readonly count: number
  /** The age of the oldest one, in milliseconds; 0 if there is none. */
  readonly oldestMs: number
}

/** The cache of one kind in one cluster. */
export class Store<T extends KubeObject = KubeObject> {
  readonly #logger: Logger
  /** The objects that readers see, by `formatKey`. */
  readonly #objects = new Map<string, T>()
  readonly #own: OwnWrites<T>
  readonly #indices = new Map<string, ObjectIndex<T>>()
  readonly #waiters = new Set<() => void>()
  /** The keys that were known when the current list began, and that it has not listed so far. */
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

  /** The number of objects. */
  get size(): number {
    return this.#objects.size
  }

  /** Whether the first list is complete and no object was left out since. Until then a missing object may exist. */
  get synced(): boolean {
    return this.#synced
  }

  /** The number of objects and changes that were left out because memory is short. A later list adds them. */
  get leftOut(): number {
    return this.#leftOut
  }

  /** The resourceVersion that the watch has reached; `undefined` before the first list. */
  get resourceVersion(): string | undefined {
    return this.#resourceVersion
  }

  /** The latest known resourceVersion: from the watch, or from the answer to an own write. */
  get latestKnown(): string | undefined {
    return laterOf(this.#resourceVersion, this.#own.resourceVersion)
  }

  /** The own writes that the watch has not confirmed yet; readers see them already. */
  get unconfirmed(): Unconfirmed {
    return { count: this.#own.size, oldestMs: this.#own.oldestMs }
  }

  /** The object with this key. */
  get(key: Key): T | undefined {
    return this.#objects.get(formatKey(key))
  }

  /** All objects, or those of one namespace. It iterates over all objects. */
  list(namespace?: string): T[] {
    const objects = [...this.#objects.values()]
    return namespace === undefined
      ? objects
      : objects.filter(({ metadata }) => metadata.namespace === namespace)
  }

  /**
   * Indexes every object, present and future, by the values that `valuesOf` computes from it; {@link byIndex} finds them. If
   * `valuesOf` throws, the object is not in the index, and the error is logged.
   *
   * @throws `PluginError` with code `DUPLICATE_INDEX` if an index with this name exists
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
   * The objects with a value in an index.
   *
   * @throws `PluginError` with code `UNKNOWN_INDEX` if no index has this name
   */
  byIndex(name: string, value: string): T[] {
    const index = this.#indices.get(name)
    if (index) return index.get(value)
    throw new PluginError(
      'UNKNOWN_INDEX',
      `there is no index "${name}": add it with addIndex in registerIndices`,
    )
  }

  /** Whether the API server serves the kind, as far as is known. If not, the store keeps the last known objects. */
  get served(): boolean {
    return this.#served
  }

  /** Resolves when the first list is complete; rejects with the signal's reason. */
  whenSynced(signal?: AbortSignal): Promise<void> {
    return this.#when(() => this.#synced, signal)
  }

  /** Resolves when the first list is complete and the kind is served; rejects with the signal's reason. */
  whenServed(signal?: AbortSignal): Promise<void> {
    return this.#when(() => this.#synced && this.#served, signal)
  }

  /** Resolves when the first list is complete, or when it is known that the kind is not served. */
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

  /** Applies an event of the watch and returns the changes for readers. Only the store's own watch calls it. */
  apply(event: WatchEvent<T>): Change<T>[] {
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
        this.#notifyWaiters()
        return []
      case 'leftOut':
        this.#leaveOut(formatKey(event.key))
        return []
    }
  }

  /**
   * Shows the answer of the API server to an own write until the watch has reached it. An object that the watch knows already
   * is newer, and stays.
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
   * Hides an object that an own call deleted, until the watch reports the deletion. Late events of the object are hidden, too.
   * An object with the same name but another UID is not affected; without a UID no object is.
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

  #notifyWaiters(): void {
    for (const look of [...this.#waiters]) look()
  }

  #advance(resourceVersion: string | undefined): void {
    if (!isEarlier(resourceVersion, this.#resourceVersion)) this.#resourceVersion = resourceVersion
  }

  #applied(object: T): Change<T>[] {
    const id = formatKey(keyOf(object))
    const own = this.#own.get(id)
    if (own !== undefined && hides(own, object)) {
      own.seen = object
      return []
    }
    this.#own.confirm(id)
    return [this.#put(id, object)]
  }

  #deleted(object: T): Change<T>[] {
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

  #listDone({ resourceVersion, restored }: Of<'listDone'>): Change<T>[] {
    const isRestored = isEarlier(resourceVersion, this.#resourceVersion)
    for (const [id, own] of this.#own) if (this.#unlisted.has(id)) own.seen = undefined
    const settled = this.#settle(
      (own) =>
        isRestored ||
        isSettledAt(own, resourceVersion) ||
        // A restored cluster continues from an earlier number, so a list may be later than a write that it does not have.
        ((restored === true || own.resourceVersion === undefined) && own.listsBegun < this.#listsBegun),
    )
    const gone = [...this.#unlisted].filter((id) => !this.#own.has(id)).flatMap((id) => this.#gone(id))
    this.#unlisted.clear()
    this.#resourceVersion = resourceVersion
    this.#synced = this.#leftOut === 0
    this.#served = true
    this.#notifyWaiters()
    return [...settled, ...gone]
  }

  /** Forgets the own writes that the watch has reached, and shows the state from the watch. */
  #settle(isSettled: (own: OwnWrite<T>) => boolean): Change<T>[] {
    const changes: Change<T>[] = []
    for (const [id, own] of this.#own) {
      if (!isSettled(own)) continue
      this.#own.confirm(id)
      if (own.seen === undefined) changes.push(...this.#gone(id))
      else if (own.seen !== this.#objects.get(id)) changes.push(this.#put(id, own.seen))
    }
    return changes
  }

  #gone(id: string): Change<T>[] {
    const previous = this.#remove(id)
    return previous ? [{ key: keyOf(previous), object: previous, previous, gone: true }] : []
  }

  #put(id: string, object: T): Change<T> {
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

/** A copy, because the caller of the write may change the answer. */
function storable<T extends KubeObject>(object: T): T {
  const { managedFields: _, ...metadata } = object.metadata
  return cloneJson({ ...object, metadata })
}
