import { parseJson } from '../kube/json.js'
import { openEnvelope, readMessage } from './schema/protobuf.js'
import { structOf } from './schema/schema.js'
import { badRequest, failure, tooLarge } from './status.js'

/** A request's body may have this many bytes: `MaxRequestBodyBytes` of a real server. */
export const MAX_BODY_BYTES = 3 * 1024 * 1024

const PROTOBUF = 'application/vnd.kubernetes.protobuf'
const ACCEPTED = 'application/json, application/yaml, application/vnd.kubernetes.protobuf'

/** The media type without its parameters, in lower case. */
export function mediaType(header: string | undefined): string {
  return (header ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

/** The body as text. Throws 413 when it is larger than a request may be. */
export function bodyText(body: string | Uint8Array | undefined): string {
  if (body === undefined) return ''
  const size = typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength
  if (size > MAX_BODY_BYTES) throw tooLarge(`Request entity too large: limit is ${MAX_BODY_BYTES}`)
  return typeof body === 'string' ? body : Buffer.from(body.buffer, body.byteOffset, size).toString('utf8')
}

/** JSON in the words of Go's decoder when it is malformed. */
export function parseJsonBody(text: string, describe: (problem: string) => string): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw badRequest(describe(goSyntaxProblem(text, error)))
  }
}

function goSyntaxProblem(text: string, error: SyntaxError): string {
  const position = /position (\d+)/.exec(error.message)?.[1]
  const at = position === undefined ? text.length : Number(position)
  if (text.slice(at).trim() === '') return 'unexpected end of JSON input'
  return `invalid character '${text.charAt(at)}' looking for beginning of value`
}

/** The object a request carries, before anything is known of it. */
export interface RawBody {
  readonly body: string | Uint8Array | undefined
  readonly headers: Readonly<Record<string, string | undefined>>
}

/** Reads the object a request carries, as JSON, YAML or protobuf. Throws 400, 413 or 415. */
export async function parseObjectBody({ body, headers }: RawBody, kind: string): Promise<unknown> {
  const type = mediaType(headers['content-type'])
  if (type === PROTOBUF) return parseProtobuf(body, kind)
  const text = bodyText(body)
  if (type === '' || type === 'application/json') return parseJsonObject(text, kind)
  if (type === 'application/yaml') return parseYaml(text, kind)
  const message = `the body of the request was in an unknown format - accepted media types include: ${ACCEPTED}`
  throw failure(415, message, { reason: 'UnsupportedMediaType' })
}

function parseJsonObject(text: string, kind: string): unknown {
  const describe = (problem: string) => `${unreadable(kind, problem)} (${summarize(text)})`
  const value = parseJsonBody(text, describe)
  if (typeof value === 'object' && !Array.isArray(value)) return value
  const found = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value
  throw badRequest(describe(`json: cannot unmarshal ${found} into Go value of type ${TYPE_META}`))
}

/** How Go prints the struct in which its decoder looks for the kind. */
const TYPE_META =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }'

function unreadable(kind: string, problem: string): string {
  return `the object provided is unrecognized (must be of type ${kind}): couldn't get version/kind; json parse error: ${problem}`
}

function parseProtobuf(body: string | Uint8Array | undefined, kind: string): unknown {
  try {
    const envelope = openEnvelope(typeof body === 'string' ? Buffer.from(body) : (body ?? new Uint8Array()))
    const [version = '', group = ''] = envelope.apiVersion.split('/').reverse()
    const struct = structOf({ group, version, kind: envelope.kind })
    if (struct === undefined) throw new SyntaxError(`no kind "${envelope.kind}" has a protobuf form`)
    return { kind: envelope.kind, apiVersion: envelope.apiVersion, ...readMessage(envelope.raw, struct) }
  } catch (error) {
    if (error instanceof SyntaxError) throw badRequest(unreadable(kind, error.message))
    throw error
  }
}

/** As much of a body as an error repeats: it may be a Secret, and it may be long. */
export function summarize(text: string): string {
  if (text === '') return '<empty>'
  const shown = text.startsWith('{') ? text : Buffer.from(text).toString('hex')
  const limit = text.startsWith('{') ? 30 : 60
  return shown.length > limit ? `${shown.slice(0, limit)} ...` : shown
}

async function parseYaml(text: string, kind: string): Promise<unknown> {
  const { parse } = await import('yaml')
  try {
    return parse(text)
  } catch (error) {
    throw badRequest(unreadable(kind, error instanceof Error ? error.message : String(error)))
  }
}
