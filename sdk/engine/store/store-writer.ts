import { formatKey, type Key, keyOf } from '../kube/key.js'
import type { KubeObject } from '../kube/object.js'
import { isEarlier, isLater } from '../kube/resource-version.js'
import { type Logger, silentLogger } from '../observe/logger.js'
import { type Clock, systemClock } from '../time/clock.js'
import type { WatchEvent } from '../watch/event.js'
import type { OwnEvents, PendingEvent } from '../watch/own-events.js'
import { hides, isSettledAt, type OwnWrite, OwnWrites, outlives } from './own-writes.js'
import { storable } from './storable.js'
import type { Change, Store } from './store.js'
import { StoreReader } from './store-reader.js'
import { StoredObjects } from './stored-objects.js'
import { SyncState } from './sync-state.js'
import type { Writer } from './writer.js'
import { WritesInFlight } from './writes-in-flight.js'

type EventOf<Type extends WatchEvent['type']> = Extract<WatchEvent, { type: Type }>

/** Options of {@link StoreWriter}. */
export interface StoreWriterOptions {
  /** Logs index functions that throw; default silent. */
  logger?: Logger
  /** Measures how long the watch takes to confirm own writes; default the machine's clock. */
  clock?: Clock
  /** Called for each own write with the time that the watch took to confirm it, in milliseconds; default none. */
  onConfirmed?: (tookMs: number) => void
}

/**
 * Fills one store, from the events of its watch and from own writes. Only the code that fills the store has the writer.
 * Readers get {@link store}, which cannot write.
 */
export class StoreWriter<T extends KubeObject = KubeObject> implements OwnEvents {
  /** The store, for its readers. */
  readonly store: Store<T>
  readonly #objects: StoredObjects<T>
  readonly #ownWrites: OwnWrites<T>
  readonly #inFlight: WritesInFlight
  readonly #state = new SyncState()
  /** The keys that were known when the current list began, and that the list has not contained so far. */
  #unlisted = new Set<string>()
  #listsBegun = 0

  constructor({
    logger = silentLogger,
    clock = systemClock,
    onConfirmed = () => {},
  }: StoreWriterOptions = {}) {
    this.#objects = new StoredObjects(logger)
    this.#ownWrites = new OwnWrites({ clock, onConfirmed })
    this.#inFlight = new WritesInFlight({ clock, onLate: (id, events) => this.#settleEvents(id, events) })
    this.store = new StoreReader({ objects: this.#objects, own: this.#ownWrites, state: this.#state })
  }

  /** Applies an event of the store's watch and returns the changes for readers. */
  apply(event: WatchEvent<T>): Change<T>[] {
    switch (event.type) {
      case 'listStarted':
        return this.#handleListStarted()
      case 'listed':
        this.#unlisted.delete(formatKey(keyOf(event.object)))
        return this.#handleApplied(event.object)
      case 'listDone':
        this.release()
        return this.#handleListDone(event)
      case 'applied':
        this.#state.advance(event.object.metadata.resourceVersion)
        return this.#handleApplied(event.object)
      case 'deleted':
        this.#state.advance(event.object.metadata.resourceVersion)
        return this.#handleDeleted(event.object)
      case 'bookmark':
        this.release()
        this.#state.advance(event.resourceVersion)
        return this.#settleWrites((ownWrite) => isSettledAt(ownWrite, event.resourceVersion))
      case 'unserved':
        this.#state.unserve()
        return []
      case 'forbidden':
        this.#state.forbid()
        return []
      case 'leftOut':
        return this.#handleLeftOut(formatKey(event.key))
    }
  }

  /** See {@link OwnEvents.areExpected}. */
  get areExpected(): boolean {
    return this.#inFlight.size > 0 || this.#ownWrites.size > 0
  }

  /** Records that a write of an object is about to be sent: events of the object wait until {@link endWrite}. */
  beginWrite(key: Key): void {
    this.#inFlight.begin(formatKey(key))
  }

  /** Records that the write was answered, and noted by {@link noteWritten}, or has failed. */
  endWrite(key: Key): void {
    const id = formatKey(key)
    this.#settleEvents(id, this.#inFlight.end(id))
  }

  /**
   * See {@link OwnEvents.take}. An event of an object that is being written waits. An event that repeats an answer is
   * dropped.
   */
  take(event: PendingEvent): boolean {
    const id = formatKey(event.head)
    if (!this.#inFlight.holds(id)) return this.#drop(id, event)
    if (this.#inFlight.hold(id, event)) return true
    this.#settleEvents(id, this.#inFlight.giveUp(id))
    return false
  }

  /** See {@link OwnEvents.release}. */
  release(): void {
    for (const [id, events] of this.#inFlight.giveUpAll()) this.#settleEvents(id, events)
  }

  /**
   * Shows the answer of the API server to an own write until the watch has reached it, and returns the change. A newer
   * object from the watch stays. `by` is the run that wrote the object, if the answer equals what it sent; frozen parts
   * of `sent` replace equal parts of the object.
   */
  noteWritten(object: T, by?: Writer, sent?: KubeObject): Change<T>[] {
    const id = formatKey(keyOf(object))
    const { uid, resourceVersion } = object.metadata
    const ownWrite = this.#ownWrites.get(id)
    const visible = this.#objects.get(id)
    if (resourceVersion === undefined || this.#isKnown(id, resourceVersion)) return []
    if (ownWrite !== undefined && ownWrite.resourceVersion === undefined && ownWrite.uid === uid) return []
    const seen = ownWrite ? ownWrite.seen : visible
    this.#ownWrites.note(id, { uid, resourceVersion, listsBegun: this.#listsBegun, seen }, object.metadata)
    return [{ ...this.#objects.put(id, storable(object, sent)), ...(by && { writtenBy: by }) }]
  }

  /**
   * Hides an object that an own call deleted, until the watch reports the deletion. Late events of the object are
   * hidden, too. An object with the same name but another UID is not affected. Without a UID nothing is hidden.
   */
  noteDeleted({ key, uid }: { key: Key; uid: string | undefined }): void {
    const id = formatKey(key)
    const visible = this.#objects.get(id)
    if (visible === undefined || uid === undefined || visible.metadata.uid !== uid) return
    const ownWrite = this.#ownWrites.get(id)
    const seen = ownWrite ? ownWrite.seen : visible
    this.#ownWrites.note(id, { uid, resourceVersion: undefined, listsBegun: this.#listsBegun, seen })
    this.#objects.remove(id)
  }

  /** Whether the watch has delivered this state of an object, or a newer one. */
  #isKnown(id: string, resourceVersion: string): boolean {
    if (isCoveredBy(resourceVersion, this.#objects.get(id)?.metadata.resourceVersion)) return true
    return !this.#inFlight.holds(id) && isCoveredBy(resourceVersion, this.#state.resourceVersion)
  }

  #settleEvents(id: string, events: readonly PendingEvent[]): void {
    for (const event of events) if (!this.#drop(id, event)) event.deliver()
  }

  /** Drops an event that repeats the answer to an own write. */
  #drop(id: string, event: PendingEvent): boolean {
    const { resourceVersion } = event.head
    const answer = this.#ownWrites.answerTo(id, event.head)
    if (answer === undefined) return false
    this.#state.advance(resourceVersion)
    if (this.#ownWrites.get(id)?.resourceVersion === resourceVersion) this.#ownWrites.confirm(id)
    event.drop(answer)
    return true
  }

  #handleListStarted(): Change<T>[] {
    this.#unlisted = new Set([...this.#objects.ids(), ...this.#ownWrites.keys()])
    this.#listsBegun++
    this.#state.begin()
    return []
  }

  #handleLeftOut(id: string): Change<T>[] {
    this.#unlisted.delete(id)
    this.#state.leaveOut()
    return []
  }

  #handleApplied(object: T): Change<T>[] {
    const id = formatKey(keyOf(object))
    const ownWrite = this.#ownWrites.get(id)
    if (ownWrite !== undefined && hides(ownWrite, object)) {
      ownWrite.seen = object
      ownWrite.hidesOthers = true
      return []
    }
    this.#ownWrites.confirm(id)
    return [this.#objects.put(id, object)]
  }

  /** Removes an object that the watch reports as deleted, unless an own write has created it again. */
  #handleDeleted(object: T): Change<T>[] {
    const id = formatKey(keyOf(object))
    const ownWrite = this.#ownWrites.get(id)
    if (ownWrite !== undefined && outlives(ownWrite, object)) {
      ownWrite.seen = undefined
      return []
    }
    this.#ownWrites.confirm(id)
    const previous = this.#objects.remove(id)
    return [{ key: keyOf(object), object, ...(previous && { previous }), gone: true }]
  }

  /** Removes the objects that a complete list does not contain, and settles own writes that it includes. */
  #handleListDone({ resourceVersion, restored }: EventOf<'listDone'>): Change<T>[] {
    const isRestored = isEarlier(resourceVersion, this.#state.resourceVersion)
    for (const [id, ownWrite] of this.#ownWrites) if (this.#unlisted.has(id)) ownWrite.seen = undefined
    const settled = this.#settleWrites(
      (ownWrite) =>
        isRestored ||
        isSettledAt(ownWrite, resourceVersion) ||
        // A restored cluster continues from an earlier number, so a list may be later than a write that it lacks.
        ((restored === true || ownWrite.resourceVersion === undefined) &&
          ownWrite.listsBegun < this.#listsBegun),
    )
    const gone = [...this.#unlisted]
      .filter((id) => !this.#ownWrites.has(id))
      .flatMap((id) => this.#removeGone(id))
    this.#unlisted.clear()
    this.#state.complete(resourceVersion)
    return [...settled, ...gone]
  }

  /** Forgets the own writes that the watch has reached, and shows the state from the watch. */
  #settleWrites(isSettled: (ownWrite: OwnWrite<T>) => boolean): Change<T>[] {
    const changes: Change<T>[] = []
    for (const [id, ownWrite] of this.#ownWrites) {
      if (!isSettled(ownWrite)) continue
      this.#ownWrites.confirm(id)
      if (ownWrite.seen === undefined) changes.push(...this.#removeGone(id))
      else if (ownWrite.seen !== this.#objects.get(id)) changes.push(this.#objects.put(id, ownWrite.seen))
    }
    return changes
  }

  #removeGone(id: string): Change<T>[] {
    const previous = this.#objects.remove(id)
    return previous ? [{ key: keyOf(previous), object: previous, previous, gone: true }] : []
  }
}

function isCoveredBy(resourceVersion: string, known: string | undefined): boolean {
  return resourceVersion === known || isLater(known, resourceVersion)
}
