import type { ApiError } from '../../sdk/engine/kube/error.js'
import { ownEntry } from '../base/own-entry.js'
import { failure } from '../request/status.js'

/** The format that a caller requests. */
export interface AcceptedFormat {
  readonly format: 'json' | 'yaml'
  /** A view of the objects; default the objects themselves. */
  readonly as?: 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList'
}

const availableTypes = 'application/json, application/yaml, application/vnd.kubernetes.protobuf'
const streamTypes = 'application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch'
const views = ['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList'] as const
const jsonAccepted: AcceptedFormat = { format: 'json' }

const formats: Readonly<Record<string, AcceptedFormat['format']>> = {
  '*/*': 'json',
  'application/*': 'json',
  'application/json': 'json',
  'application/yaml': 'yaml',
}

/**
 * Picks the first acceptable format that this server supports; it does not support protobuf and CBOR. Throws
 * 406. The router of built-in resources rejects a header without any known type, and names the formats of a
 * watch as well if a watch is possible (`streams`); the handler rejects one with unknown parameters. See
 * https://kubernetes.io/docs/reference/using-api/api-concepts/#alternate-representations-of-resources
 */
export function negotiate(header: string | undefined, route: Route): AcceptedFormat {
  const { streams, isCustom, hasTables } = route
  if (header === undefined || header === '' || header === 'application/json') return jsonAccepted
  const choices = header.split(',')
  if (!isCustom && !choices.some(isRouted)) throw notRoutedError(streams)
  for (const choice of choices) {
    const accepted = readChoice(choice)
    if (accepted !== undefined && (hasTables || accepted.as !== 'Table')) return accepted
  }
  throw notAcceptedError()
}

/** 406 for a format that the handler of a resource does not support. */
function notAcceptedError(): ApiError {
  return failure(406, `only the following media types are accepted: ${availableTypes}`, {
    reason: 'NotAcceptable',
  })
}

/** The properties of a request that determine its formats. */
export interface Route {
  readonly streams: boolean
  readonly isCustom: boolean
  /** Whether objects of the resource can be shown as tables. */
  readonly hasTables: boolean
}

/** Compares types literally, as the router does; the only pattern is the one for any type. */
function isRouted(choice: string): boolean {
  const type = choice.split(';', 1)[0]?.trim() ?? ''
  return ['*/*', 'application/json', 'application/yaml'].includes(type)
}

function notRoutedError(streams: boolean): ApiError {
  const available = streams ? `${availableTypes}, ${streamTypes}` : availableTypes
  const message = `406: Not Acceptable\n\nAvailable representations: ${available}`
  return failure(406, message, { reason: 'NotAcceptable', details: {} })
}

function readChoice(choice: string): AcceptedFormat | undefined {
  const [type = '', ...rest] = choice.split(';').map((text) => text.trim())
  const format = ownEntry(formats, type.toLowerCase())
  if (format === undefined) return undefined
  const parameters = new Map(rest.map((part) => part.split('=', 2) as [string, string | undefined]))
  const requested = parameters.get('as')
  if (requested === undefined) return { format }
  const version = parameters.get('v') ?? 'v1'
  const as = views.find((view) => view === requested)
  return as === undefined || version !== 'v1' ? undefined : { format, as }
}
