import type { Clock } from '../time/clock.js'
import type { PendingEvent } from '../watch/own-events.js'

/**
 * The maximum time that an event waits for the answer to a write, in milliseconds: other controllers need the event
 * soon.
 */
const maxHoldMs = 1000
/** The maximum number of waiting events of one object. */
const maxHeld = 16
/** The maximum size of all waiting events of one store, in bytes. */
const maxHeldBytes = 4 * 1024 * 1024

/** The writes of one object that are not answered yet. */
interface InFlight {
  writes: number
  readonly held: PendingEvent[]
  /** Whether events wait no longer, because they waited too long or are too many. */
  letsPass: boolean
  cancel: () => void
}

/** Options of {@link WritesInFlight}. */
export interface WritesInFlightOptions {
  clock: Clock
  /** Called with the events of an object that have waited too long. */
  onLate: (id: string, events: readonly PendingEvent[]) => void
}

/**
 * The objects of a store that are being written, by `formatKey`, and their events that wait for the answers.
 * `StoreWriter` calls it around each write, and with each event.
 */
export class WritesInFlight {
  readonly #options: WritesInFlightOptions
  readonly #objects = new Map<string, InFlight>()
  #heldBytes = 0

  constructor(options: WritesInFlightOptions) {
    this.#options = options
  }

  get size(): number {
    return this.#objects.size
  }

  /**
   * Whether every event of an object has waited since its write was sent, so that the store has seen no event of the
   * write.
   */
  holds(id: string): boolean {
    return this.#objects.get(id)?.letsPass === false
  }

  /** Records that a write of an object is about to be sent. */
  begin(id: string): void {
    const object = this.#objects.get(id)
    if (object) object.writes++
    else this.#objects.set(id, { writes: 1, held: [], letsPass: false, cancel: () => {} })
  }

  /**
   * Records that a write of an object was answered, or failed. After the last write under way, returns the events that
   * have waited.
   */
  end(id: string): readonly PendingEvent[] {
    const object = this.#objects.get(id)
    if (!object || --object.writes > 0) return []
    this.#objects.delete(id)
    return this.#takeHeld(object)
  }

  /** Keeps an event; `false` if there is no room for it. */
  hold(id: string, event: PendingEvent): boolean {
    const object = this.#objects.get(id)
    if (!object || object.held.length >= maxHeld || this.#heldBytes + event.bytes > maxHeldBytes) return false
    if (object.held.length === 0) object.cancel = this.#scheduleGiveUp(id)
    object.held.push(event)
    this.#heldBytes += event.bytes
    return true
  }

  /** Returns the waiting events of an object, and lets later events pass. */
  giveUp(id: string): readonly PendingEvent[] {
    const object = this.#objects.get(id)
    if (!object) return []
    object.letsPass = true
    return this.#takeHeld(object)
  }

  /** Calls {@link giveUp} for all objects. */
  giveUpAll(): readonly [id: string, events: readonly PendingEvent[]][] {
    return [...this.#objects.keys()].map((id) => [id, this.giveUp(id)])
  }

  #scheduleGiveUp(id: string): () => void {
    const { clock, onLate } = this.#options
    return clock.schedule(maxHoldMs, () => onLate(id, this.giveUp(id)))
  }

  /** Returns the waiting events of an object, which then wait no longer. */
  #takeHeld(object: InFlight): readonly PendingEvent[] {
    object.cancel()
    const events = object.held.splice(0)
    for (const { bytes } of events) this.#heldBytes -= bytes
    return events
  }
}
