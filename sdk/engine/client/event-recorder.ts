import { type NewEvent, newEvents } from '../kube/builtin-events.js'
import { isNotFound } from '../kube/error.js'
import { keyOf } from '../kube/key.js'
import type { KubeObject } from '../kube/object.js'
import type { EventDetails, EventRecorder } from '../observe/event-recorder.js'
import type { Logger } from '../observe/logger.js'
import type { Clock } from '../time/clock.js'
import type { Client } from './client.js'
import { eventNote, microTime, newEvent, type Occurrence } from './new-event.js'

/** Options of {@link createEventRecorder}. */
export interface EventRecorderOptions {
  client: Client
  /** The reporting component, for example `configmap-syncer`. */
  component: string
  clock: Clock
  logger: Logger
  /** When it aborts, waiting counts are written, and later counts are written at once; default never. */
  stop?: AbortSignal
}

/** How many different Events one object may cause before it must wait; as in client-go's `record.EventCorrelator`. */
const burstPerObject = 25
/** The time after which an object that used up its burst may cause one more Event, in milliseconds. */
const refillMs = 300_000
/**
 * After this time without a repetition an Event is created again, in milliseconds; as in client-go's `tools/events`.
 */
const silenceMs = 360_000
/** The shortest time between two writes of the count of one Event, in milliseconds. */
const countEveryMs = 30_000
/**
 * How many Events are remembered for counting up, and how many objects with their budget; the oldest are forgotten
 * first.
 */
const maxRemembered = 4096

/** An Event that may repeat. */
interface Series {
  event: NewEvent
  /** When the Event happened last, in the clock's milliseconds. */
  seenMs: number
  /** When the Event was written last, in the clock's milliseconds. */
  writtenMs: number
  /** The last write of the Event: the next write waits for it. */
  writing: Promise<void>
  /** Whether the count waits to be written. */
  isDue: boolean
}

/**
 * Records Events of events.k8s.io/v1 through a client. An Event that repeats is a series: its count is written at most
 * every 30 s. An object that causes many different Events is slowed down; counting up a series does not use that
 * budget.
 */
export function createEventRecorder(options: EventRecorderOptions): EventRecorder {
  const recorder = new ClientEventRecorder(options)
  const as =
    (type: Occurrence['type']) =>
    (object: KubeObject, reason: string, message: string, details?: EventDetails) =>
      recorder.record({ object, type, reason, message, ...details })
  return { warning: as('Warning'), normal: as('Normal') }
}

class ClientEventRecorder {
  readonly #options: EventRecorderOptions
  readonly #series = new Map<string, Series>()
  /** The number of created Events, for unique names. */
  #createdCount = 0
  readonly #budgets = new Map<string, { tokens: number; atMs: number }>()

  constructor(options: EventRecorderOptions) {
    this.#options = options
  }

  /** Counts up the series of an Event, or creates the Event if its object has budget left. */
  record(occurrence: Occurrence): void {
    const nowMs = this.#options.clock.now()
    const identity = identityOf(occurrence)
    const series = this.#series.get(identity)
    if (series && nowMs - series.seenMs < silenceMs) this.#repeat(identity, series)
    else if (this.#mayWrite(occurrence.object.metadata.uid ?? '', nowMs)) this.#begin(identity, occurrence)
  }

  #begin(identity: string, occurrence: Occurrence): void {
    const { client, clock, component } = this.#options
    const event = newEvent(occurrence, { component, now: clock.date(), serial: this.#createdCount++ })
    const nowMs = clock.now()
    const writing = this.#logFailure(client.create(newEvents, event), event)
    remember(this.#series, identity, { event, seenMs: nowMs, writtenMs: nowMs, writing, isDue: false })
  }

  #repeat(identity: string, series: Series): void {
    const { clock, stop } = this.#options
    series.event = withNextCount(series.event, clock.date())
    series.seenMs = clock.now()
    remember(this.#series, identity, series)
    if (series.isDue) return
    series.isDue = true
    const waitMs = series.writtenMs + countEveryMs - clock.now()
    if (waitMs <= 0 || stop?.aborted) this.#writeCount(series)
    else this.#writeCountAfter(waitMs, series)
  }

  /** Writes the count after a delay, or at once when the program stops, so that the timer does not hold the process. */
  #writeCountAfter(waitMs: number, series: Series): void {
    const { clock, stop } = this.#options
    const write = () => {
      cancel()
      stop?.removeEventListener('abort', write)
      this.#writeCount(series)
    }
    const cancel = clock.schedule(waitMs, write)
    stop?.addEventListener('abort', write, { once: true })
  }

  #writeCount(series: Series): void {
    const { client, clock } = this.#options
    series.isDue = false
    series.writtenMs = clock.now()
    const { event } = series
    series.writing = series.writing.then(() => this.#logFailure(updateCount(client, event), event))
  }

  /** Waits for a write. A failure is only logged: an Event must not fail the run that records it. */
  async #logFailure(writing: Promise<unknown>, { reason }: NewEvent): Promise<void> {
    await writing.catch((error: unknown) =>
      this.#options.logger.debug({ error, reason }, 'writing an Event failed'),
    )
  }

  /** Takes one Event from the budget of an object; returns false if the budget is used up. */
  #mayWrite(uid: string, nowMs: number): boolean {
    const budget = this.#budgets.get(uid) ?? { tokens: burstPerObject, atMs: nowMs }
    const tokens = Math.min(burstPerObject, budget.tokens + (nowMs - budget.atMs) / refillMs)
    remember(this.#budgets, uid, { tokens: tokens < 1 ? tokens : tokens - 1, atMs: nowMs })
    return tokens >= 1
  }
}

/** Makes an entry the newest one of a map, and forgets the oldest above {@link maxRemembered}. */
function remember<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key)
  map.set(key, value)
  for (const oldest of map.keys()) {
    if (map.size <= maxRemembered) return
    map.delete(oldest)
  }
}

function withNextCount(event: NewEvent, now: Date): NewEvent {
  const count = (event.series?.count ?? 1) + 1
  return { ...event, series: { count, lastObservedTime: microTime(now) } }
}

async function updateCount(client: Client, event: NewEvent): Promise<unknown> {
  const { series } = event
  try {
    return await client.patch(newEvents, keyOf(event), { type: 'merge', body: { series } })
  } catch (error) {
    // Events expire in the API server after an hour.
    if (isNotFound(error)) return client.create(newEvents, event)
    throw error
  }
}

function identityOf({ object, type, reason, message, action = '' }: Occurrence): string {
  const { uid, namespace, name } = object.metadata
  return [uid, namespace, name, type, reason, action, eventNote(message)].join('\n')
}
