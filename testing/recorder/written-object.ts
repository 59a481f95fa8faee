import { parseJson } from '../../sdk/engine/kube/json.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { TransportRequest, TransportResponse } from '../../sdk/engine/transport/transport.js'
import type { RequestTarget } from '../requests/request-target.js'

/** The target with the name that the server gave to a created object. */
export function namedTarget(target: RequestTarget, response: TransportResponse): RequestTarget {
  if (target.name !== '') return target
  return { ...target, name: objectIn(response)?.metadata.name ?? '' }
}

/** The object in an answer; undefined for an error status or another body. */
export function objectIn({ status, body }: TransportResponse): KubeObject | undefined {
  if (status >= 300) return undefined
  const object = parseJson(body) as { kind?: string; metadata?: KubeObject['metadata'] }
  return object.metadata && object.kind !== 'Status' ? (object as KubeObject) : undefined
}

/** The body of a server-side apply. */
export function appliedBody({ headers, body }: TransportRequest): KubeObject | undefined {
  const isApply = headers?.['content-type']?.includes('apply-patch') ?? false
  return isApply && body !== undefined ? (parseJson(body) as KubeObject) : undefined
}

/** The UID precondition of a delete. */
export function preconditionUidOf({ method, body }: TransportRequest): string | undefined {
  if (method !== 'DELETE' || body === undefined) return undefined
  const options = parseJson(body) as { preconditions?: { uid?: string } }
  return options.preconditions?.uid
}
