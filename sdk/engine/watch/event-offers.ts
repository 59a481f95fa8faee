import type { ObjectMeta } from '../kube/object.js'
import type { Logger } from '../observe/logger.js'
import type { EventHead } from './event-head.js'
import type { OwnEvents } from './own-events.js'
import type { WatchPosition } from './watch-position.js'
import type { WatchedHistory } from './watched-history.js'

/** Options of {@link EventOffers}. */
export interface EventOffersOptions {
  /** Receives the offers; if undefined, no event is offered. */
  ownEvents: OwnEvents | undefined
  position: WatchPosition
  history: WatchedHistory | undefined
  logger: Logger
  /** Delivers an event to the subscriber: one that `ownEvents` did not take, or took and released. */
  deliver: (head: EventHead, object: unknown) => void
}

/**
 * Passes the events of one watch to their subscriber, except those of the program's own writes. While a write is in
 * flight, each event is first offered to {@link OwnEvents}: it takes an event that may be the result of the write, and
 * delivers or drops it once the write is answered. Events that it does not take are delivered at once.
 */
export class EventOffers {
  readonly #options: EventOffersOptions
  #onUnreadable = () => {}

  constructor(options: EventOffersOptions) {
    this.#options = options
  }

  /** Whether events are offered at present: while own writes are in flight, and not during a list. */
  get isOffering(): boolean {
    const { ownEvents, position } = this.#options
    return ownEvents?.areExpected === true && position.resumeFrom !== undefined
  }

  /**
   * Sets the function that is called if the line of a taken event turns out to be invalid: a line is parsed only when
   * its event is delivered. Only a list can then replace the event.
   */
  setOnUnreadable(onUnreadable: () => void): void {
    this.#onUnreadable = onUnreadable
  }

  /** Delivers or drops all taken events, because a list begins, whose objects are newer. */
  releaseTaken(): void {
    this.#options.ownEvents?.release()
  }

  /**
   * Offers or delivers an event, after the position of the watch was moved to it. `bytes` is the size of its line, and
   * `read` parses the line and returns the object.
   */
  offer(head: EventHead, bytes: number, read: () => unknown): void {
    const { ownEvents, history } = this.#options
    const deliver = () => this.#options.deliver(head, read())
    const drop = (metadata: ObjectMeta) => history?.recordChange(metadata, head.type === 'DELETED')
    if (ownEvents?.take({ head, bytes, drop, deliver: () => this.#deliverLate(deliver) })) return
    this.#deliverOrList(deliver)
  }

  /** Delivers a taken event later than it arrived: the watch is past it, so an invalid line only causes a list. */
  #deliverLate(deliver: () => void): void {
    try {
      this.#deliverOrList(deliver)
    } catch (error) {
      this.#options.logger.warn({ error }, 'a line of the watch cannot be read; listing again')
      this.#onUnreadable()
    }
  }

  /**
   * Delivers an event, or requests a list if its line cannot be parsed, because the watch cannot read the line again.
   */
  #deliverOrList(deliver: () => void): void {
    try {
      deliver()
    } catch (error) {
      this.#options.position.resumeAt(undefined)
      throw error
    }
  }
}
