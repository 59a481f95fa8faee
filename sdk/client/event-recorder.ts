import { randomUUID } from 'node:crypto'
import isUndefined from 'lodash/isUndefined.js'
import omitBy from 'lodash/omitBy.js'
import truncate from 'lodash/truncate.js'
import { type Event, events } from '../kube/builtin.js'
import { isNotFound } from '../kube/error.js'
import type { KubeObject } from '../kube/object.js'
import type { EventRecorder } from '../observe/event-recorder.js'
import type { Logger } from '../observe/logger.js'
import type { Clock } from '../time/clock.js'
import type { Client } from './client.js'

/** Options of {@link createEventRecorder}. */
export interface EventRecorderOptions {
  client: Client
  /** The reporting component, for example `configmap-syncer`. */
  component: string
  clock: Clock
  logger: Logger
}

/** How many different Events one object may cause before it must wait; as in client-go's `record.EventCorrelator`. */
const burstPerObject = 25
/** How often an object that used up its burst may cause one more, in milliseconds. */
const refillMs = 300_000
/** How long a repeated Event increases a count instead of being created again, in milliseconds. */
const countUpMs = 600_000
/** How many Events are remembered for counting up; the oldest are forgotten first. */
const rememberedEvents = 4096

const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/

/** The longest message of an Event that the API server accepts, in characters. */
const maxMessageLength = 1024

/** An Event written before, and the spent budget of its object. */
interface Remembered {
  event: Event
  atMs: number
}

/**
 * Records core/v1 Events through a client. The same Event about the same object counts up; an object that
 * causes many different ones is slowed down.
 */
export function createEventRecorder(options: EventRecorderOptions): EventRecorder {
  const recorder = new ClientEventRecorder(options)
  return {
    warning: (object, reason, message) => recorder.record({ object, type: 'Warning', reason, message }),
    normal: (object, reason, message) => recorder.record({ object, type: 'Normal', reason, message }),
  }
}

interface Occurrence {
  object: KubeObject
  type: 'Warning' | 'Normal'
  reason: string
  message: string
}

class ClientEventRecorder {
  readonly #options: EventRecorderOptions
  readonly #remembered = new Map<string, Remembered>()
  #named = 0
  readonly #spent = new Map<string, { tokens: number; atMs: number }>()

  constructor(options: EventRecorderOptions) {
    this.#options = options
  }

  record(occurrence: Occurrence): void {
    const { client, logger } = this.#options
    const nowMs = this.#options.clock.now()
    const identity = identityOf(occurrence)
    const before = this.#remembered.get(identity)
    const repeats = before !== undefined && nowMs - before.atMs < countUpMs
    if (!repeats && !this.#mayWrite(occurrence.object.metadata.uid ?? '', nowMs)) return
    const event = repeats ? this.#countedUp(before.event) : this.#newEvent(occurrence)
    this.#remember(identity, { event, atMs: nowMs })
    const written = repeats ? this.#updateCount(client, event) : client.create(events, event)
    written.catch((error: unknown) =>
      logger.debug({ error, reason: occurrence.reason }, 'writing an Event failed'),
    )
  }

  #newEvent({ object, type, reason, message }: Occurrence): Event {
    const now = this.#options.clock.date()
    const { name = '', namespace = '', uid, resourceVersion } = object.metadata
    const timestamp = seconds(now)
    return {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: this.#nameFor(name, now), namespace: namespace || 'default' },
      involvedObject: omitBy(
        {
          apiVersion: object.apiVersion,
          kind: object.kind,
          namespace,
          name,
          uid,
          resourceVersion,
        },
        isUndefined,
      ),
      reason,
      message: truncate(message, { length: maxMessageLength }),
      type,
      source: { component: this.#options.component },
      reportingComponent: this.#options.component,
      reportingInstance: '',
      firstTimestamp: timestamp,
      lastTimestamp: timestamp,
      count: 1,
    }
  }

  /** The shape of client-go's names, `greeting.18c0…`, where an Event may be called so; else a UUID, as there. */
  #nameFor(objectName: string, now: Date): string {
    // Two of one millisecond must not get one name.
    const nanoseconds = BigInt(now.getTime()) * 1_000_000n + BigInt(this.#named++ % 1_000_000)
    const name = `${objectName}.${nanoseconds.toString(16)}`
    return name.length <= 253 && subdomain.test(name) ? name : randomUUID()
  }

  #countedUp(event: Event): Event {
    return { ...event, count: (event.count ?? 1) + 1, lastTimestamp: seconds(this.#options.clock.date()) }
  }

  async #updateCount(client: Client, event: Event): Promise<unknown> {
    const key = { namespace: event.metadata.namespace ?? '', name: event.metadata.name ?? '' }
    const body = { count: event.count, lastTimestamp: event.lastTimestamp }
    try {
      return await client.patch(events, key, { type: 'merge', body })
    } catch (error) {
      // Events expire in the API server after an hour.
      if (isNotFound(error)) return client.create(events, event)
      throw error
    }
  }

  #remember(identity: string, remembered: Remembered): void {
    this.#remembered.delete(identity)
    this.#remembered.set(identity, remembered)
    for (const oldest of this.#remembered.keys()) {
      if (this.#remembered.size <= rememberedEvents) return
      this.#remembered.delete(oldest)
    }
  }

  #mayWrite(uid: string, nowMs: number): boolean {
    const spent = this.#spent.get(uid) ?? { tokens: burstPerObject, atMs: nowMs }
    const tokens = Math.min(burstPerObject, spent.tokens + (nowMs - spent.atMs) / refillMs)
    if (this.#spent.size > rememberedEvents) this.#spent.clear()
    this.#spent.set(uid, { tokens: tokens < 1 ? tokens : tokens - 1, atMs: nowMs })
    return tokens >= 1
  }
}

function identityOf({ object, type, reason, message }: Occurrence): string {
  return [object.metadata.uid, object.metadata.namespace, object.metadata.name, type, reason, message].join(
    '\n',
  )
}

/** `metav1.Time` has no fraction of a second. */
function seconds(date: Date): string {
  return date.toISOString().replace(/\.\d+Z$/, 'Z')
}
