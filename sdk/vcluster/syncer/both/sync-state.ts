/**
 * Encodes and decodes the state of original and copy when they were last in sync, which is an annotation of the copy.
 * `RememberedFields` uses it.
 *
 * It is JSON, deflated if it is long, and never longer than {@link maxStateBytes}: a value that does not fit is kept as
 * a digest, which still shows that the value changed. An annotation that cannot be read, because someone edited it, is
 * ignored.
 */

import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { canonicalJson } from '../../../engine/kube/canonical-json.js'
import { sha256Hex } from '../../../engine/kube/concat-name.js'
import { jsonEqual, parseJson } from '../../../engine/kube/json.js'
import { isJsonObject } from '../../../engine/kube/json-object.js'

/**
 * A field of one object at that time: its value (`is`), or the digest of its value, or neither if the object had no
 * such field.
 */
export interface RecordedSide {
  readonly is?: unknown
  readonly sha256?: string
}

/** A field of both objects at that time. */
export interface RecordedField {
  readonly virtual: RecordedSide
  readonly host: RecordedSide
  /** The next state of both, once the virtual object has the value that is being written to it. */
  readonly coming?: Omit<RecordedField, 'coming'>
}

/** The fields of both objects at that time, by their paths. */
export type RecordedFields = ReadonlyMap<string, RecordedField>

/** The longest annotation, in bytes. */
export const maxStateBytes = 4096
/** The longest annotation that is not compressed, so that people can read it, in bytes. */
const maxPlainBytes = 1024
/**
 * The lengths above which a value is replaced by its digest, in characters of JSON. The first limit always holds; the
 * next ones are used while the annotation is too long.
 */
const maxValueLengths = [64 * 1024, 256, 80] as const
/** The maximum size of an inflated annotation, in bytes, because anyone may have written it. */
const maxInflatedBytes = 1024 * 1024
const deflatedPrefix = 'deflate:'

/** Records a value; a confidential value as a digest. */
export function recordValue(value: unknown, isConfidential: boolean): RecordedSide {
  if (value === undefined) return {}
  return isConfidential ? { sha256: sha256Hex(canonicalJson(value)) } : { is: value }
}

/** The record for an unknown host object: it differs from every value. */
export const unknownSide: RecordedSide = { sha256: '' }

/** Whether a value differs from the recorded one. */
export function hasChanged(side: RecordedSide, value: unknown): boolean {
  if (side.sha256 === undefined) return !jsonEqual(side.is, value)
  return value === undefined || sha256Hex(canonicalJson(value)) !== side.sha256
}

/** The annotation, with long values as digests if it would be too long; `undefined` if it is still too long. */
export function encodeState(state: RecordedFields): string | undefined {
  for (const maxLength of maxValueLengths) {
    const text = pack(new Map([...state].map(([path, field]) => [path, shortenField(field, maxLength)])))
    if (text.length <= maxStateBytes) return text
  }
  return undefined
}

/** Reads the annotation; `undefined` if it is missing, or was not written by {@link encodeState}. */
export function decodeState(text: string | undefined): RecordedFields | undefined {
  if (text === undefined) return undefined
  try {
    const fields = parseJson(unpack(text))
    return isJsonObject(fields) ? new Map(Object.entries(fields).map(readField)) : undefined
  } catch {
    // Someone else wrote the annotation. Without a state the rule for conflicts decides, and the next write repairs it.
    return undefined
  }
}

function shortenField(field: RecordedField, maxLength: number): RecordedField {
  const shortenSide = (side: RecordedSide) =>
    Object.hasOwn(side, 'is') && canonicalJson(side.is).length > maxLength ? recordValue(side.is, true) : side
  const { virtual, host, coming } = field
  return {
    virtual: shortenSide(virtual),
    host: shortenSide(host),
    ...(coming && { coming: shortenField(coming, maxLength) }),
  }
}

/** Prints a state as JSON; a long one is deflated and encoded in base64. */
function pack(state: RecordedFields): string {
  const plain = canonicalJson(Object.fromEntries([...state].map(([path, field]) => [path, recordsOf(field)])))
  if (Buffer.byteLength(plain) <= maxPlainBytes) return plain
  return deflatedPrefix + deflateRawSync(plain, { level: 9 }).toString('base64')
}

/** Returns the JSON that {@link pack} printed. */
function unpack(text: string): string | Uint8Array {
  if (!text.startsWith(deflatedPrefix)) return text
  const bytes = Buffer.from(text.slice(deflatedPrefix.length), 'base64')
  return inflateRawSync(bytes, { maxOutputLength: maxInflatedBytes })
}

/**
 * The records of the virtual and the host object, only one if they are equal; with a coming state, the four records of
 * both states.
 */
function recordsOf({ virtual, host, coming }: RecordedField): RecordedSide[] {
  if (coming) return [virtual, host, coming.virtual, coming.host]
  return canonicalJson(virtual) === canonicalJson(host) ? [virtual] : [virtual, host]
}

/** Reads what {@link recordsOf} returned: one, two or four records. */
function readField([path, records]: [string, unknown]): [string, RecordedField] {
  if (!Array.isArray(records) || records.length === 0) throw new TypeError('not a recorded field')
  const [first, second = first, ...more] = records
  const [virtual, host] = [readSide(first), readSide(second)]
  if (more.length === 0) return [path, { virtual, host }]
  return [path, { virtual, host, coming: { virtual: readSide(more[0]), host: readSide(more[1]) } }]
}

function readSide(side: unknown): RecordedSide {
  if (!isJsonObject(side)) throw new TypeError('not a recorded value')
  if (typeof side.sha256 === 'string') return { sha256: side.sha256 }
  return Object.hasOwn(side, 'is') ? { is: side.is } : {}
}
