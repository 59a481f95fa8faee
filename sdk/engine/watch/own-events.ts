import type { ObjectMeta } from '../kube/object.js'
import type { EventHead } from './event-head.js'

/** An event of a watch that is not delivered yet. */
export interface PendingEvent {
  readonly head: EventHead
  /** The size of the event's line. */
  readonly bytes: number
  /** Delivers the event to the subscriber of the watch. */
  deliver(): void
  /** Drops the event, because its object is known with this metadata, `managedFields` included. */
  drop(metadata: ObjectMeta): void
}

/**
 * Knows objects before the watch delivers them, because the program has written them itself. A watch offers each event
 * to it before delivery, if possible before it parses the event.
 */
export interface OwnEvents {
  /** Whether an event may be about an own write at present. If not, the watch offers no events. */
  readonly areExpected: boolean
  /**
   * Takes an event over, and delivers or drops it now or later, before any later event of that object. Returns `false`
   * for an event that the watch must deliver itself.
   */
  take(event: PendingEvent): boolean
  /** Delivers or drops every event that was taken over, because a list begins. */
  release(): void
}
