import type { Json } from '../subjects.js'

/** Placeholder for the namespace of a sequence; also part of the names of cluster-scoped objects. */
export const namespacePlaceholder = '$NS'
/** Placeholder for the resourceVersion of the last returned object. */
export const revisionPlaceholder = '$RV'
/** Placeholder for the UID of that object. */
export const uidPlaceholder = '$UID'

/** One random request: plain JSON with placeholders for values of the run, so that it can be repeated. */
export interface FuzzRequest {
  readonly method: string
  readonly path: string
  readonly query: readonly (readonly [name: string, value: string])[]
  /** Lower-case header names. */
  readonly headers: Readonly<Record<string, string>>
  /** Encoded by its content type; text is sent unchanged. */
  readonly body?: unknown
}

/** Requests for one or two kinds, in one namespace. */
export type FuzzSequence = readonly FuzzRequest[]

/** A request as it is sent. */
export interface EncodedRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** The known state of one server for the next request. */
export interface ServerState {
  readonly namespace: string
  readonly revision: string
  readonly uid: string
}

/** Fills in the placeholders and encodes the body. */
export function encodeRequest(request: FuzzRequest, known: ServerState): EncodedRequest {
  const fill = (text: string) =>
    text
      .replaceAll(namespacePlaceholder, known.namespace)
      .replaceAll(revisionPlaceholder, known.revision)
      .replaceAll(uidPlaceholder, known.uid)
  const query = request.query.map(([name, value]) => `${name}=${encodeURIComponent(fill(value))}`).join('&')
  const { method, headers, body } = request
  const path = `${fill(request.path)}${query === '' ? '' : `?${query}`}`
  if (body === undefined) return { method, path, headers }
  return { method, path, headers, body: fill(typeof body === 'string' ? body : JSON.stringify(body)) }
}

/** The fields of a response's object that the next request needs. */
export function knownOf(body: unknown, known: ServerState): ServerState {
  const { metadata } = Object(body) as { metadata?: Json }
  if (metadata?.uid === undefined) return known
  return { ...known, uid: String(metadata.uid), revision: String(metadata.resourceVersion ?? '') }
}
