import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import isUndefined from 'lodash/isUndefined.js'
import omitBy from 'lodash/omitBy.js'
import truncate from 'lodash/truncate.js'
import type { NewEvent } from '../kube/builtin-events.js'
import type { KubeObject } from '../kube/object.js'
import type { EventDetails } from '../observe/event-recorder.js'

/** One thing that happened to an object. */
export interface Occurrence extends EventDetails {
  object: KubeObject
  type: 'Warning' | 'Normal'
  reason: string
  message: string
}

/** The reporter of an Event, and when it happened. */
export interface EventReporter {
  /** The reporting component, for example `configmap-syncer`. */
  component: string
  now: Date
  /** Distinguishes the Events of one millisecond. */
  serial: number
}

const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/

/** The longest note of an Event that the API server accepts, in characters. */
const maxNoteLength = 1024
/** The longest name of a controller, and of an instance of it. */
const maxControllerLength = 63
const maxInstanceLength = 128

/** The action of an Event that names none: the API server requires one. */
const defaultAction = 'Reconcile'

/** The Event of an occurrence, of `events.k8s.io/v1`. */
export function newEvent(
  { object, type, reason, message, action = defaultAction, related }: Occurrence,
  { component, now, serial }: EventReporter,
): NewEvent {
  const { name = '', namespace = '' } = object.metadata
  return {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { name: nameFor(name, { now, serial }), namespace: namespace || 'default' },
    regarding: referenceTo(object),
    ...(related && { related: referenceTo(related) }),
    action,
    reason,
    note: eventNote(message),
    type,
    reportingController: controllerName(component),
    reportingInstance: truncate(`${component}-${hostname()}`, { length: maxInstanceLength, omission: '' }),
    eventTime: microTime(now),
  }
}

/**
 * The note of an Event: the message, shortened if necessary. A shortened message is copied, because a part of a string
 * keeps the whole string in memory.
 */
export function eventNote(message: string): string {
  if (message.length <= maxNoteLength) return message
  return Buffer.from(truncate(message, { length: maxNoteLength })).toString()
}

/** Formats a time as `metav1.MicroTime`, with six digits of a second. */
export function microTime(date: Date): string {
  return date.toISOString().replace(/Z$/, '000Z')
}

/** A name as client-go makes it, `greeting.18c0…`, if that is a valid name; else a UUID. */
function nameFor(objectName: string, { now, serial }: Pick<EventReporter, 'now' | 'serial'>): string {
  // Two Events of one millisecond must not get one name.
  const nanoseconds = BigInt(now.getTime()) * 1_000_000n + BigInt(serial % 1_000_000)
  const name = `${objectName}.${nanoseconds.toString(16)}`
  return name.length <= 253 && subdomain.test(name) ? name : randomUUID()
}

/** A valid name of a controller: the API server accepts only names that are label values. */
function controllerName(component: string): string {
  const name = component.replace(/[^-A-Za-z0-9_.]/g, '-').slice(0, maxControllerLength)
  return name.replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '') || 'controller'
}

function referenceTo({ apiVersion, kind, metadata }: KubeObject): NonNullable<NewEvent['regarding']> {
  const { name = '', namespace = '', uid, resourceVersion } = metadata
  return omitBy({ apiVersion, kind, namespace, name, uid, resourceVersion }, isUndefined)
}
