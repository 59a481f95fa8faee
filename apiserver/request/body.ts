import type { ConvertedYaml } from '../../sdk/engine/kube/go-yaml/yaml-to-json.js'
import { parseJson } from '../../sdk/engine/kube/json.js'
import { isTooDeep, jsonProblem } from '../base/json-problem.js'
import { fieldMismatch, jsonTypeOf } from '../base/json-type.js'
import { ownEntry } from '../base/own-entry.js'
import { withSortedMembers } from '../base/sorted-members.js'
import { type Envelope, openEnvelope, readMessage } from '../schema/protobuf.js'
import { structOf } from '../schema/schema.js'
import { badRequest, failure, tooLarge } from './status.js'

/** The maximum size of a request's body: `MaxRequestBodyBytes` of a real server. */
export const maxBodyBytes = 3 * 1024 * 1024

/** The media types of bodies, in the order in which an error lists them. */
const formats: Readonly<Record<string, 'json' | 'yaml' | 'protobuf'>> = {
  'application/json': 'json',
  'application/yaml': 'yaml',
  'application/vnd.kubernetes.protobuf': 'protobuf',
}

/** The media type without its parameters, in lower case. */
export function mediaType(header: string | undefined): string {
  return (header ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

/** The body as text. Throws 413 if it is too large. */
export function bodyText(body: string | Uint8Array | undefined): string {
  if (body === undefined) return ''
  checkSize(body)
  if (typeof body === 'string') return body
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8')
}

function checkSize(body: string | Uint8Array = ''): void {
  const size = typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength
  if (size > maxBodyBytes) throw tooLarge(`Request entity too large: limit is ${maxBodyBytes}`)
}

/** Parses JSON with the errors of Go's decoder. Throws 400. */
export function parseJsonBody(text: string, describe: (problem: string) => string): unknown {
  const problem = isTooDeep(text) ? jsonProblem(text) : undefined
  if (problem !== undefined) throw badRequest(describe(problem))
  try {
    return parseJson(replaceLoneSurrogates(text))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw badRequest(describe(jsonProblem(text) ?? error.message))
  }
}

/** An escape; a surrogate pair is one. */
const escapes = /\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|[^u])/g

/** Replaces each lone surrogate by the replacement character, as Go does. */
function replaceLoneSurrogates(text: string): string {
  if (!/\\u[dD][89a-fA-F]/.test(text)) return text
  return text.replace(escapes, (sequence) => (/^\\u[dD][89a-fA-F]..$/.test(sequence) ? '\\ufffd' : sequence))
}

/** The raw body of a request. */
export interface RawBody {
  readonly body: string | Uint8Array | undefined
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Collects a message for each duplicate key in a YAML map. */
  readonly repeatedKeys?: string[]
}

/** Parses the object of a request, as JSON, YAML or protobuf. Throws 400, 413 or 415. */
export async function parseObjectBody(request: RawBody, kind: string): Promise<unknown> {
  const { body } = request
  switch (bodyFormat(request)) {
    case 'protobuf':
      return parseProtobuf(body, kind)
    case 'yaml':
      return parseYaml(request, kind)
    case 'json':
      return parseJsonObject(bodyText(body), kind)
  }
}

/** The format of a body by its media type; JSON if the request names none. Throws 415. */
export function bodyFormat({ headers }: Pick<RawBody, 'headers'>): 'json' | 'yaml' | 'protobuf' {
  const format = ownEntry(formats, mediaType(headers['content-type']))
  if (format !== undefined) return format
  if (!headers['content-type']) return 'json'
  const message = `the body of the request was in an unknown format - accepted media types include: ${Object.keys(formats).join(', ')}`
  throw failure(415, message, { reason: 'UnsupportedMediaType' })
}

/** `source` is the text from which the JSON was converted; errors quote its beginning. */
function parseJsonObject(text: string, kind: string, source = text): unknown {
  const describe = (problem: string) => `${unreadable(kind, problem)} (${summarize(source)})`
  return objectWithKind(parseJsonBody(text, describe), describe)
}

/**
 * Go's decoder reads kind and version from an object, or from null, which counts as an empty one. Throws 400.
 */
export function objectWithKind(value: unknown, describe: (problem: string) => string): object | null {
  if (typeof value === 'object' && !Array.isArray(value)) return withTextKind(value, describe)
  throw badRequest(describe(`json: cannot unmarshal ${jsonTypeOf(value)} into Go value of type ${typeMeta}`))
}

/** Checks that kind and version are texts, which Go reads before all other members. Throws 400. */
function withTextKind(value: object | null, describe: (problem: string) => string): object | null {
  for (const field of ['apiVersion', 'kind']) {
    const member = value === null ? undefined : (value as Record<string, unknown>)[field]
    if (member === undefined || member === null || typeof member === 'string') continue
    throw badRequest(describe(fieldMismatch(member, `.${field}`, 'string')))
  }
  return value
}

/** The Go struct from which the decoder reads the kind, as Go prints it. */
const typeMeta =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }'

function unreadable(kind: string, problem: string): string {
  return `${unrecognized(kind)}: couldn't get version/kind; json parse error: ${problem}`
}

const unrecognized = (kind: string) => `the object provided is unrecognized (must be of type ${kind})`

function parseProtobuf(body: string | Uint8Array | undefined, kind: string): unknown {
  const envelope = protobufEnvelope(body, (problem) => unreadable(kind, problem))
  try {
    const [version = '', group = ''] = envelope.apiVersion.split('/').reverse()
    const struct = structOf({ group, version, kind: envelope.kind })
    if (struct === undefined) throw new SyntaxError(`no kind "${envelope.kind}" has a protobuf form`)
    return { kind: envelope.kind, apiVersion: envelope.apiVersion, ...readMessage(envelope.raw, struct) }
  } catch (error) {
    if (error instanceof SyntaxError) throw badRequest(unreadable(kind, error.message))
    throw error
  }
}

/** The kind and the bytes of a protobuf body. Throws 400 or 413. */
export function protobufEnvelope(
  body: string | Uint8Array | undefined,
  describe: (problem: string) => string,
): Envelope {
  checkSize(body)
  try {
    return openEnvelope(typeof body === 'string' ? Buffer.from(body) : (body ?? new Uint8Array()))
  } catch (error) {
    if (error instanceof SyntaxError) throw badRequest(describe(error.message))
    throw error
  }
}

/** The beginning of a body, for an error. It is short, because a body may be a Secret or long. */
export function summarize(text: string): string {
  if (text === '') return '<empty>'
  const bodyText = text.startsWith('{') ? text : Buffer.from(text).toString('hex')
  const limit = text.startsWith('{') ? 30 : 60
  return bodyText.length > limit ? `${bodyText.slice(0, limit)} ...` : bodyText
}

async function parseYaml({ body, repeatedKeys }: RawBody, kind: string): Promise<unknown> {
  const text = bodyText(body)
  const refuse = (problem: string) => `${unrecognized(kind)}: ${problem} (${summarize(text)})`
  const { json, repeated } = await convertYaml(text, refuse)
  repeatedKeys?.push(...repeated)
  // A real server converts it to JSON first, which sorts the members.
  return withSortedMembers(parseJsonObject(json, kind, text))
}

/** Converts a YAML body to JSON, with a message for each duplicate key. Throws 400. */
export async function convertYaml(
  text: string,
  describe: (problem: string) => string,
): Promise<ConvertedYaml> {
  const { yamlToJson } = await import('../../sdk/engine/kube/go-yaml/yaml-to-json.js')
  try {
    return yamlToJson(text)
  } catch (error) {
    if (error instanceof SyntaxError) throw badRequest(describe(error.message))
    throw error
  }
}
