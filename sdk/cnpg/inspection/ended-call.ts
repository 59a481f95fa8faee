import { statusName } from '../../engine/grpc/status.js'
import { shownError } from '../../engine/inspector/latest-errors.js'
import type { PatchView } from '../../engine/inspector/model.js'
import { redactedOperation } from '../../engine/inspector/redact.js'
import { parseApiVersion } from '../../engine/kube/api-version.js'
import { parseJson } from '../../engine/kube/json.js'
import { formatKey, type Key } from '../../engine/kube/key.js'
import type { CallEnd } from '../calls/call-runner.js'
import type { EndedCall } from './call-recorder.js'

/** The fields of requests that contain the Cluster, and those that contain the object of the call. */
const clusterFields = ['clusterDefinition', 'cluster', 'newCluster', 'definition']
const objectFields = ['objectDefinition', 'resourceDefinition', 'backupDefinition']

/** The parts of an object that are shown. */
interface NamedObject {
  readonly apiVersion: string
  readonly kind: string
  readonly key: Key
}

type Message = Readonly<Record<string, unknown>>

/** A call as the inspector shows it: which objects it is about, its patch and its error, without secrets. */
export function endedCall({ method, name, request, answer, error, durationMs }: CallEnd): EndedCall {
  const requestMessage = decodeMessage(method.read.request, request)
  const cluster = namedObject(requestMessage, clusterFields)
  const object = namedObject(requestMessage, objectFields)
  const subject = object ?? cluster
  const group = parseApiVersion(subject?.apiVersion)?.group ?? ''
  const isSucceeded = Buffer.isBuffer(answer)
  const answerMessage = isSucceeded ? decodeMessage(method.read.answer, answer) : {}
  return {
    method: name,
    code: isSucceeded ? 'OK' : statusName(answer.code),
    durationMs,
    cluster: cluster?.key ?? null,
    object: object ? `${object.kind} ${formatKey(object.key)}` : null,
    patch: patchOf(answerMessage, subject?.kind === 'Secret'),
    refused: refusedFields(answerMessage),
    ...(!isSucceeded && { error: shownError({ group, kind: subject?.kind ?? '' }, error) }),
  }
}

/** The decoded message; empty if decoding fails, because the call then reports the error. */
function decodeMessage(decode: (bytes: Buffer) => unknown, bytes: Buffer): Message {
  try {
    return decode(bytes) as Message
  } catch {
    return {}
  }
}

/** The object in the first of these fields that the request has; undefined if it has none. */
function namedObject(message: Message, fields: readonly string[]): NamedObject | undefined {
  const bytes = fields.map((field) => message[field]).find((value) => value instanceof Uint8Array)
  const { apiVersion, kind, metadata } = Object(parseBytes(bytes)) as Message
  const { namespace, name, generateName } = Object(metadata) as Message
  if (kind === undefined) return undefined
  return {
    apiVersion: String(apiVersion ?? ''),
    kind: String(kind),
    key: { namespace: String(namespace ?? ''), name: String(name ?? generateName ?? '') },
  }
}

/** The patch of an answer without the values of Secrets; null if the answer has none. */
function patchOf({ jsonPatch }: Message, isOfSecret: boolean): PatchView[] | null {
  if (!(jsonPatch instanceof Uint8Array)) return null
  const operations = parseBytes(jsonPatch)
  return Array.isArray(operations)
    ? operations.map((operation) => redactedOperation(isOfSecret, operation))
    : []
}

/** The fields for which a Cluster was refused. Their values and the messages may contain secrets. */
function refusedFields({ validationErrors }: Message): string[] {
  if (!Array.isArray(validationErrors)) return []
  return validationErrors.map(({ pathComponents }) => [pathComponents].flat().join('.'))
}

function parseBytes(bytes: unknown): unknown {
  if (!(bytes instanceof Uint8Array) || bytes.length === 0) return undefined
  try {
    return parseJson(bytes)
  } catch {
    return undefined
  }
}
