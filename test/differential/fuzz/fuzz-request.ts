import type { Json } from '../subjects.js'

/** The namespace of a sequence; part of the names of what has no namespace. */
export const NAMESPACE = '$NS'
/** The resourceVersion of the object that an answer showed last. */
export const REVISION = '$RV'
/** The UID of that object. */
export const UID = '$UID'

/** One random request: plain JSON, with placeholders for what only the run knows, so that it can be played again. */
export interface FuzzRequest {
  readonly method: string
  readonly path: string
  readonly query: readonly (readonly [name: string, value: string])[]
  /** Lower-case header names. */
  readonly headers: Readonly<Record<string, string>>
  /** Encoded as the content type says; a text is sent as it stands. */
  readonly body?: unknown
}

/** Requests about one or two kinds, in one namespace. */
export type FuzzSequence = readonly FuzzRequest[]

/** A request as it goes out. */
export interface Sent {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** What a client knows of one server when it sends a request. */
export interface Known {
  readonly namespace: string
  readonly revision: string
  readonly uid: string
}

/** Fills in the placeholders and encodes the body. */
export function encodeRequest(request: FuzzRequest, known: Known): Sent {
  const fill = (text: string) =>
    text
      .replaceAll(NAMESPACE, known.namespace)
      .replaceAll(REVISION, known.revision)
      .replaceAll(UID, known.uid)
  const query = request.query.map(([name, value]) => `${name}=${encodeURIComponent(fill(value))}`).join('&')
  const { method, headers, body } = request
  const path = `${fill(request.path)}${query === '' ? '' : `?${query}`}`
  if (body === undefined) return { method, path, headers }
  return { method, path, headers, body: fill(typeof body === 'string' ? body : JSON.stringify(body)) }
}

/** An object of an answer, as far as the next request needs it. */
export function knownOf(body: unknown, known: Known): Known {
  const { metadata } = Object(body) as { metadata?: Json }
  if (metadata?.uid === undefined) return known
  return { ...known, uid: String(metadata.uid), revision: String(metadata.resourceVersion ?? '') }
}
