import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { TransportRequest } from '../../sdk/engine/transport/transport.js'
import type { SimulatedProcess } from '../faults/simulated-process.js'
import type { RequestTarget } from '../requests/request-target.js'

/** The value of {@link RecordedWrite.cluster} for writes outside Kubernetes. */
export const outside = 'outside'

/** A write of the program that the server has answered. */
export interface RecordedWrite {
  /** The number of this write, from 1. */
  readonly n: number
  /** The number of this request among all requests, reads included, from 1. */
  readonly call: number
  /** The cluster, or {@link outside} for an effect. */
  readonly cluster: string
  readonly method: TransportRequest['method']
  /** The object; for a create with the name that the server stored. */
  readonly target: RequestTarget
  /** The HTTP status of the answer. */
  readonly status: number
  /** The object before the write; undefined if there was none. */
  readonly before: KubeObject | undefined
  /** The object that the server answered; undefined after a refusal or for another answer. */
  readonly after: KubeObject | undefined
  /** The body of a server-side apply. */
  readonly applied: KubeObject | undefined
  /** The UID precondition of a delete. */
  readonly preconditionUid: string | undefined
  /** The process that sent the write. */
  readonly process: SimulatedProcess
  /** Whether the write was held back until another process had become the leader. */
  readonly wasHeld: boolean
}

const verbs = { GET: 'get', POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' }

/** Formats a write for messages: `update host configmaps vcluster-vc/greeting-x-default-x-vc`. */
export function describeWrite({
  cluster,
  method,
  target,
  status,
}: Pick<RecordedWrite, 'cluster' | 'method' | 'target' | 'status'>): string {
  const { plural, namespace, name, subresource } = target
  const object = [namespace, name].filter((part) => part !== '').join('/')
  const failed = status >= 300 ? ` (${status})` : ''
  return `${verbs[method]} ${cluster} ${plural} ${object}${subresource && `/${subresource}`}${failed}`
}

const eventsAndLeases: ReadonlySet<string> = new Set(['events', 'leases'])

/**
 * Whether a kind, by its plural, is the Event or the Lease: they record what a process did, and may differ between
 * runs.
 */
export const isEventOrLease = (plural: string): boolean => eventsAndLeases.has(plural)
