import type { KubeObject } from '../kube/object.js'

/** The types of watch events that are about an object. */
export type ObjectEventType = 'ADDED' | 'MODIFIED' | 'DELETED'

/** The object that a watch event is about, and its state, read from the first bytes of the event. */
export interface EventHead {
  readonly type: ObjectEventType
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  /** `''` for a cluster-scoped object. */
  readonly namespace: string
  readonly uid: string
  readonly resourceVersion: string
}

/**
 * The maximum length of a head, in bytes. No API server writes a longer one, because a name has at most 253 characters.
 */
const maxHeadLength = 1024
/** The length that is read first, in bytes: most heads are shorter, and reading more takes memory. */
const usualHeadLength = 384

/**
 * The pattern of a text in a head. It has neither escapes nor characters beyond ASCII, so its bytes are its characters.
 */
const textPattern = '"([ !#-\\[\\]-~]*)"'

/**
 * The members that a Go type begins with, in their order. A quotation mark inside a JSON string is escaped, so no value
 * can look like a member.
 */
const headPattern = new RegExp(
  `^\\{"type":"(ADDED|MODIFIED|DELETED)","object":\\{"kind":${textPattern},"apiVersion":${textPattern},"metadata":\\{"name":${textPattern},` +
    `(?:"generateName":"[^"\\\\]*",)?(?:"namespace":${textPattern},)?"uid":${textPattern},"resourceVersion":${textPattern}[,}]`,
)

/**
 * Reads the head of a watch event without parsing the line. `undefined` for a line that begins differently: another
 * type of event, members in another order (as for custom kinds), or an escape in a name.
 */
export function scanHead(line: Uint8Array): EventHead | undefined {
  const match = matchHead(line, usualHeadLength) ?? matchHead(line, maxHeadLength)
  if (match === undefined) return undefined
  const [, type, kind = '', apiVersion = '', name = '', namespace = '', uid = '', resourceVersion = ''] =
    match
  return { type: type as ObjectEventType, apiVersion, kind, name, namespace, uid, resourceVersion }
}

/** Matches the head within the first `length` bytes of a line; returns the parts of the match. */
function matchHead({ buffer, byteOffset, byteLength }: Uint8Array, length: number): string[] | undefined {
  const beginning = Buffer.from(buffer, byteOffset, Math.min(byteLength, length)).toString('latin1')
  return headPattern.exec(beginning) ?? undefined
}

/** The head of a parsed event; `undefined` for an object without UID or resourceVersion. */
export function headOf(type: ObjectEventType, object: KubeObject): EventHead | undefined {
  const { apiVersion = '', kind = '', metadata } = object
  const { name = '', namespace = '', uid, resourceVersion } = metadata
  if (uid === undefined || resourceVersion === undefined) return undefined
  return { type, apiVersion, kind, name, namespace, uid, resourceVersion }
}
