import type { ObjectMeta } from '../kube/object.js'
import type { EventHead } from './event-head.js'

/** An event of a watch that is not delivered yet. */
export interface PendingEvent {
  readonly head: EventHead
  /** The size of its line. */
  readonly bytes: number
  /** Delivers it to the subscriber of the watch. */
  deliver(): void
  /** Drops it, because its object is known: what its metadata is, `managedFields` included. */
  drop(metadata: ObjectMeta): void
}

/**
 * Knows objects before the watch delivers them, since the program has written them itself. A watch asks it
 * before it delivers an event, if possible before it parses the event.
 */
export interface OwnEvents {
  /** Whether an event may be about an own write at present. If not, the watch does not ask. */
  readonly areExpected: boolean
  /**
   * Takes an event over, and delivers or drops it now or later, before any later event of that object. Returns `false`
   * for an event that the watch is to deliver itself.
   */
  take(event: PendingEvent): boolean
  /** Delivers or drops every event that was taken over, because a list begins. */
  release(): void
}
