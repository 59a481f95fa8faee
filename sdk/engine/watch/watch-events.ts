import { ApiError, type Status } from '../kube/error.js'
import { keyOf } from '../kube/key.js'
import { asNetworkError } from '../kube/network-error.js'
import type { KubeObject } from '../kube/object.js'
import { apiVersionOf } from '../kube/resource.js'
import { isEarlier } from '../kube/resource-version.js'
import type { Logger } from '../observe/logger.js'
import type { Clock } from '../time/clock.js'
import type { AppliedFields } from './applied-fields.js'
import type { WatchEvent } from './event.js'
import { headOf, type ObjectEventType } from './event-head.js'
import { EventOffers } from './event-offers.js'
import { dropManagedFields } from './managed-fields.js'
import type { ObjectIntake } from './object-intake.js'
import type { OwnEvents } from './own-events.js'
import type { WatchMetrics } from './watch-metrics.js'
import type { WatchPosition } from './watch-position.js'
import { conformToScope, isHeadInScope, isInScope, type WatchScope } from './watch-scope.js'
import { readLine, type UnreadLine, type WatchLine } from './watch-stream.js'
import type { WatchedHistory } from './watched-history.js'

/** Options of {@link WatchEvents}. */
export interface WatchEventsOptions<T extends KubeObject> {
  scope: WatchScope<T>
  /** Receives the events, one by one. */
  emit: (event: WatchEvent<T>) => void
  position: WatchPosition
  intake: ObjectIntake
  history: WatchedHistory | undefined
  /** Default none. */
  ownEvents: OwnEvents | undefined
  /** Default none. */
  appliedFields?: AppliedFields | undefined
  clock: Clock
  logger: Logger
  metrics: WatchMetrics
}

const unservedMessage =
  'the kind is not served; waiting until it is: install its definition, or correct its group and version'

/**
 * Turns the objects of lists and the lines of watches into events. It moves the position of the watch, leaves out
 * objects of another kind or namespace and objects for which memory has no room, and drops `managedFields`.
 */
export class WatchEvents<T extends KubeObject> {
  readonly #scope: WatchScope<T>
  readonly #emit: (event: WatchEvent<T>) => void
  readonly #position: WatchPosition
  readonly #intake: ObjectIntake
  readonly #history: WatchedHistory | undefined
  readonly #clock: Clock
  readonly #logger: Logger
  readonly #metrics: WatchMetrics
  /** Offers events that may be about own writes. */
  readonly offers: EventOffers
  /** Set until the first list is done, because the program already knows the objects of later lists. */
  #appliedFields: AppliedFields | undefined
  #listedMs: number | undefined
  /** The number of objects in the list under way so far. */
  #listedObjects = 0
  #isServed = true
  /** Whether the next list is the first one of a restored cluster. */
  #isRestored = false

  constructor(options: WatchEventsOptions<T>) {
    this.#scope = options.scope
    this.#emit = options.emit
    this.#position = options.position
    this.#intake = options.intake
    this.#history = options.history
    this.#appliedFields = options.scope.metadataOnly ? undefined : options.appliedFields
    this.#clock = options.clock
    this.#logger = options.logger
    this.#metrics = options.metrics
    const deliver = ({ type }: { type: ObjectEventType }, object: unknown) =>
      this.#deliver(eventTypeOf(type), object)
    this.offers = new EventOffers({ ...options, deliver })
  }

  /** When the last list was done, in milliseconds; `undefined` while a list is under way. */
  get listedMs(): number | undefined {
    return this.#listedMs
  }

  /** Whether the API server serves the kind, by its last answer. */
  get isServed(): boolean {
    return this.#isServed
  }

  listStarted(): void {
    this.offers.releaseTaken()
    this.#listedMs = undefined
    this.#listedObjects = 0
    this.#history?.recordListStart()
    this.#intake.listStarted()
    this.#emit({ type: 'listStarted' })
  }

  /** Handles an object of a list. */
  listed(object: unknown): void {
    if (!this.#isExpected('listed', object)) return
    this.#position.rejectOlder(object.metadata.resourceVersion)
    this.#emitObject('listed', object)
  }

  listDone(resourceVersion: string, startedMs: number): void {
    if (isEarlier(resourceVersion, this.#position.latest)) this.#handleSetBack(resourceVersion)
    this.#history?.recordRevision(resourceVersion)
    this.#position.recordList(resourceVersion)
    this.#listedMs = this.#clock.now()
    this.#appliedFields = undefined
    this.#metrics.recordList(startedMs, this.#listedObjects)
    this.#intake.listDone()
    this.#metrics.setWaiting(false)
    if (!this.#isServed) this.#logger.info({}, 'the kind is served now')
    this.#isServed = true
    this.#emit({ type: 'listDone', resourceVersion, ...(this.#isRestored && { restored: true }) })
    this.#isRestored = false
  }

  /** Handles a line of a watch. Throws the `ApiError` of an ERROR line. */
  handleLine(line: WatchLine | UnreadLine, startedMs: number): void {
    if ('head' in line) this.#handleHead(line, startedMs)
    else this.#handleWhole(line, startedMs)
  }

  /** Handles a line that is not parsed yet: offers its event by its head if possible, else parses the line. */
  #handleHead({ head, text, bytes }: UnreadLine, startedMs: number): void {
    if (this.offers.isOffering && isHeadInScope(this.#scope, head)) {
      this.#moveTo(head.resourceVersion)
      this.offers.offer(head, bytes, () => readLine(text).object)
    } else this.#handleWhole(readLine(text), startedMs)
  }

  /** Handles a parsed line. */
  #handleWhole({ type, object, bytes }: WatchLine, startedMs: number): void {
    switch (type) {
      case 'ADDED':
      case 'MODIFIED':
      case 'DELETED':
        this.#handleObject(type, object, bytes)
        break
      case 'BOOKMARK':
        this.#bookmark(object as KubeObject, startedMs)
        break
      case 'ERROR':
        throw new ApiError(object as Status)
      default:
        this.#logger.debug({ type }, 'leaving out a watch event of an unknown type')
    }
  }

  /** Records that the cluster was restored; the next list is the first list of the restored cluster. */
  recordRestore(): void {
    this.#isRestored = true
  }

  /** Reports that the API server does not serve the kind. The store keeps the last known objects. */
  reportUnserved(error: unknown): void {
    this.#metrics.setWaiting(true)
    const { resource } = this.#scope
    const fields = { apiVersion: apiVersionOf(resource), kind: resource.kind, error: asNetworkError(error) }
    if (this.#isServed) this.#logger.warn(fields, unservedMessage)
    this.#isServed = false
    this.#emit({ type: 'unserved' })
  }

  /** Reports that the permission to list the kind is missing. */
  reportForbidden(): void {
    this.#emit({ type: 'forbidden' })
  }

  /** Handles a bookmark: moves the position, or ends a streamed list. */
  #bookmark({ metadata }: KubeObject, startedMs: number): void {
    const { resourceVersion = '', annotations } = metadata
    if (this.#position.resumeFrom !== undefined) {
      this.#position.advance(resourceVersion)
      this.#history?.recordRevision(resourceVersion)
      this.#emit({ type: 'bookmark', resourceVersion })
    } else if (annotations?.['k8s.io/initial-events-end'] === 'true')
      this.listDone(resourceVersion, startedMs)
  }

  #handleObject(type: ObjectEventType, object: unknown, bytes: number): void {
    if (!this.#isExpected(type, object)) return
    if (this.#position.resumeFrom === undefined) {
      this.#position.rejectOlder(object.metadata.resourceVersion)
      this.#emitObject(type === 'DELETED' ? 'deleted' : 'listed', object)
      return
    }
    this.#moveTo(object.metadata.resourceVersion)
    const head = this.offers.isOffering ? headOf(type, object) : undefined
    if (head) this.offers.offer(head, bytes, () => object)
    else this.#emitObject(eventTypeOf(type), object)
  }

  /** Moves the position of the watch to an event. Throws 410 if the event shows that a list is needed. */
  #moveTo(resourceVersion: string | undefined): void {
    this.#position.rejectOlder(resourceVersion)
    this.#position.advance(resourceVersion)
  }

  #deliver(type: 'applied' | 'deleted', object: unknown): void {
    if (this.#isExpected(type, object)) this.#emitObject(type, object)
  }

  /** Whether an object is in the scope of the watch; reports one that is not. */
  #isExpected(type: string, object: unknown): object is KubeObject {
    if (isInScope(this.#scope, object)) return true
    this.#metrics.recordUnexpected()
    this.#logger.warn({ type }, 'leaving out an object of another kind or namespace than was asked for')
    return false
  }

  #emitObject(type: 'listed' | 'applied' | 'deleted', object: KubeObject): void {
    this.#history?.recordChange(object.metadata, type === 'deleted')
    if (type === 'listed') this.#listedObjects++
    if (type !== 'deleted' && !this.#intake.isOpen) {
      this.#leaveOut(object as T)
      return
    }
    this.#intake.recordTaken()
    if (type === 'listed') this.#appliedFields?.note(object, object.metadata.managedFields)
    dropManagedFields(object)
    this.#emit({ type, object: conformToScope(this.#scope, object as T) })
  }

  #leaveOut(object: T): void {
    this.#intake.recordLeftOut()
    this.#emit({ type: 'leftOut', key: keyOf(object) })
  }

  /** Called for a list that is older than what was seen before. */
  #handleSetBack(resourceVersion: string): void {
    // The history restarts every watch of the cluster, including this one.
    this.#history?.reportSetBack(resourceVersion)
    if (this.#history) return
    this.#metrics.recordRestart('restored')
    this.#logger.warn(
      { resourceVersion, latest: this.#position.latest },
      'the list is older than what was seen before: the cluster was restored from a backup',
    )
  }
}

function eventTypeOf(type: ObjectEventType): 'applied' | 'deleted' {
  return type === 'DELETED' ? 'deleted' : 'applied'
}
