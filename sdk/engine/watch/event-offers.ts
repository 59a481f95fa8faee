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
  /** Delivers an event that was not taken, or that was given back. */
  deliver: (head: EventHead, object: unknown) => void
}

/**
 * Offers the events of one watch to {@link OwnEvents}, which may know their objects already. A taken event is
 * delivered or dropped later.
 */
export class EventOffers {
  readonly #options: EventOffersOptions
  #onUnreadable = () => {}

  constructor(options: EventOffersOptions) {
    this.#options = options
  }

  /** Whether events are offered at present; events of a list are not. */
  get areDue(): boolean {
    const { ownEvents, position } = this.#options
    return ownEvents?.areExpected === true && position.resumeFrom !== undefined
  }

  /**
   * Sets the function that is called when a line that was kept unparsed cannot be parsed later; then only a list can
   * replace the event.
   */
  whenUnreadable(onUnreadable: () => void): void {
    this.#onUnreadable = onUnreadable
  }

  /** Delivers or drops all taken events, because a list begins, whose objects are newer. */
  releaseTaken(): void {
    this.#options.ownEvents?.release()
  }

  /** Offers an event that the position of the watch has passed; `read` returns its object, now or later. */
  offer(head: EventHead, bytes: number, read: () => unknown): void {
    const { ownEvents, history } = this.#options
    const deliver = () => this.#options.deliver(head, read())
    const drop = (metadata: ObjectMeta) => history?.recordChange(metadata, head.type === 'DELETED')
    if (ownEvents?.take({ head, bytes, drop, deliver: () => this.#later(deliver) })) return
    this.#deliverOrList(deliver)
  }

  #later(deliver: () => void): void {
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
