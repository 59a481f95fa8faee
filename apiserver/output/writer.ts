import type { ApiError, Status } from '../../sdk/engine/kube/error.js'
import { parseJson, stringifyJson } from '../../sdk/engine/kube/json.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import { apiVersionOf } from '../../sdk/engine/kube/resource.js'
import type { OpenObject } from '../base/object.js'
import { isTrueParameter } from '../request/query.js'
import type { ApiResponse } from '../request/request.js'
import { failure } from '../request/status.js'
import { type ServedResource, servedEntry } from '../resources/served-resource.js'
import { emptyFields } from '../schema/zero-values.js'
import type { ResourceRequest } from '../server/context.js'
import { Entry } from '../store/entry.js'
import type { AcceptedFormat } from './accept.js'
import { indentJson } from './indent-json.js'
import type { Page } from './page.js'
import { partialObject } from './partial-object.js'
import type { tableOf } from './table.js'
import type { WatchLine, WatchWriter } from './watch-line.js'

/** A response with a JSON text as its body. */
export function jsonText(status: number, text: string, contentType = 'application/json'): ApiResponse {
  const body = Buffer.from(text)
  return {
    status,
    headers: {
      'content-type': contentType,
      'content-length': String(body.byteLength),
      'cache-control': 'no-cache, private',
    },
    body,
  }
}

/** A text response, for probes and unknown paths. */
export function plainText(status: number, text: string): ApiResponse {
  const answer = jsonText(status, text, 'text/plain; charset=utf-8')
  return { ...answer, headers: { ...answer.headers, 'x-content-type-options': 'nosniff' } }
}

/** A response with a value as JSON. */
export function jsonValue(status: number, value: unknown): ApiResponse {
  return jsonText(status, `${stringifyJson(value)}\n`)
}

/** A response with a Status: an error, or a success without an object. */
export function statusResponse(status: Status): ApiResponse {
  const answer = jsonValue(status.code ?? 200, status)
  const { retryAfterSeconds = 0 } = status.details ?? {}
  if (retryAfterSeconds > 0) answer.headers['retry-after'] = String(retryAfterSeconds)
  return answer
}

/** An error response, in YAML if the caller prefers that. */
export async function errorResponse(status: Status, accept = ''): Promise<ApiResponse> {
  return /^\s*application\/yaml\s*(?:[;,]|$)/.test(accept)
    ? yamlText(status.code ?? 500, status)
    : statusResponse(status)
}

async function yamlText(status: number, value: unknown): Promise<ApiResponse> {
  const { stringify } = await import('yaml')
  return jsonText(status, stringify(value, yaml), 'application/yaml')
}

function kindPrefix({ kind, group, version }: Pick<ServedResource, 'kind' | 'group' | 'version'>): string {
  return `{"kind":"${kind}","apiVersion":"${apiVersionOf({ group, version })}",`
}

/** An entry's text with the kind and version of the requested resource. */
function textOf(entry: Entry, resource: ServedResource): string {
  return kindPrefix(resource) + entry.text.slice(1)
}

/** Writes the objects, lists and watches of one request in its accepted format. */
export class ResourceWriter implements WatchWriter {
  readonly #request: ResourceRequest
  readonly #accepted: AcceptedFormat
  readonly #tableOf: typeof tableOf | undefined
  #headerSent = false

  /** Makes a writer; one that writes tables needs `tableOf`, which is loaded only for them. */
  constructor(request: ResourceRequest, accepted: AcceptedFormat, makeTable?: typeof tableOf) {
    this.#request = request
    this.#accepted = accepted
    this.#tableOf = makeTable
  }

  /** One object. Rejects with 406 if a list of metadata is requested. */
  async entry(status: number, entry: Entry): Promise<ApiResponse> {
    const { resource } = this.#request
    if (this.#accepted.as === 'PartialObjectMetadataList') throw noListError(resource)
    return this.#answer(status, this.#entryText(this.#inRequestedForm(entry)))
  }

  /** A value that is not a stored object, for example a Scale. */
  value(status: number, value: object): Promise<ApiResponse> {
    return this.#answer(status, stringifyJson(value))
  }

  /** An object that is not stored, with the resource that it belongs to, for example a Scale. */
  async generatedObject(status: number, object: KubeObject, resource: ServedResource): Promise<ApiResponse> {
    const { as } = this.#accepted
    if (as === undefined) return this.value(status, object)
    if (as === 'PartialObjectMetadataList') throw noListError(resource)
    if (as === 'PartialObjectMetadata') return this.value(status, partialObject(object))
    const { resourceVersion } = object.metadata
    return this.#answer(status, this.#tableText([new Entry('', object, 0)], { resourceVersion }, resource))
  }

  /** A page of a list. Rejects with 406 if the metadata of one object is requested. */
  async page({ entries: stored, metadata }: Page): Promise<ApiResponse> {
    const { resource } = this.#request
    if (this.#accepted.as === 'PartialObjectMetadata') throw unexpectedListError(resource)
    const entries = stored.map((entry) => this.#inRequestedForm(entry))
    if (this.#accepted.as === 'Table') return this.#answer(200, this.#tableText(entries, metadata))
    const isPartial = this.#accepted.as !== undefined
    // A list of custom resources always has a continue token.
    const listMetadata = resource.custom === undefined || isPartial ? metadata : { continue: '', ...metadata }
    const listKind = isPartial ? 'PartialObjectMetadataList' : resource.listKind
    const apiVersion = isPartial ? 'meta.k8s.io/v1' : apiVersionOf(resource)
    const items = entries.map(isPartial ? partialText : itemWriter(resource))
    const head = `{"kind":"${listKind}","apiVersion":"${apiVersion}","metadata":${JSON.stringify(listMetadata)}`
    const list = isPartial && items.length === 0 ? 'null' : `[${items.join(',')}]`
    return this.#answer(200, `${head},"items":${list}}\n`)
  }

  line({ type, entry: stored }: WatchLine): Uint8Array {
    const entry = this.#inRequestedForm(stored)
    if (this.#accepted.as !== undefined) return this.#frame(type, this.#entryText(entry))
    const frameKey = `${type} ${apiVersionOf(this.#request.resource)}`
    return entry.frame(frameKey, () => this.#frame(type, textOf(entry, this.#request.resource)))
  }

  bookmark(revision: number, initialEventsEnd: boolean): Uint8Array {
    const annotations = initialEventsEnd ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {}
    const metadata = { resourceVersion: String(revision), ...annotations }
    if (this.#accepted.as === 'Table') return this.#frame('BOOKMARK', this.#tableText([], metadata))
    const { resource } = this.#request
    const { kind, apiVersion } =
      this.#accepted.as === undefined
        ? { kind: resource.kind, apiVersion: apiVersionOf(resource) }
        : partialObject({ metadata })
    const rest = this.#accepted.as === undefined ? emptyFields(resource) : {}
    return this.#frame('BOOKMARK', JSON.stringify({ kind, apiVersion, metadata, ...rest }))
  }

  error(status: Status): Uint8Array {
    return this.#frame('ERROR', JSON.stringify(status))
  }

  /** The entry in the version of the request; tables and bare metadata use the stored form of built-in objects. */
  #inRequestedForm(entry: Entry): Entry {
    const { resource } = this.#request
    const isView = this.#accepted.as !== undefined
    const { inViews } = resource.rules.read ?? {}
    if (isView && inViews !== undefined) {
      return new Entry(entry.key, inViews(entry.object as OpenObject), entry.revision)
    }
    return isView && resource.conversion !== undefined ? entry : servedEntry(entry, resource)
  }

  #frame(type: string, object: string): Uint8Array {
    return Buffer.from(`{"type":"${type}","object":${object}}\n`)
  }

  #entryText(entry: Entry): string {
    const { as } = this.#accepted
    if (as === undefined) return textOf(entry, this.#request.resource)
    if (as !== 'Table') return partialText(entry)
    return this.#tableText([entry], { resourceVersion: entry.object.metadata.resourceVersion })
  }

  #tableText(entries: readonly Entry[], metadata: object, shownAs?: ServedResource): string {
    const { server, resource: requested, query } = this.#request
    const resource = shownAs ?? requested
    const header = !this.#headerSent
    this.#headerSent = true
    const now = server.clock.date()
    const include = query.get('includeObject') ?? 'Metadata'
    if (this.#tableOf === undefined) throw new Error('the columns of tables were not loaded')
    return stringifyJson(this.#tableOf(entries, { resource, metadata, now, include, header }))
  }

  async #answer(status: number, text: string): Promise<ApiResponse> {
    if (this.#accepted.format === 'json') {
      return jsonText(status, isPretty(this.#request) ? indentJson(text.trimEnd()) : text)
    }
    return yamlText(status, parseJson(text))
  }
}

/** YAML 1.1 in Go's format: sorted keys, lists not indented, long texts on one line. */
const yaml = { version: '1.1', sortMapEntries: true, indentSeq: false, lineWidth: 0 } as const

/**
 * Whether the response is for a person; `isPrettyPrint` of k8s.io/apiserver v0.36.3,
 * pkg/endpoints/handlers/negotiation.
 */
function isPretty({ query, headers }: ResourceRequest): boolean {
  const requested = query.get('pretty')
  if (requested !== null) return isTrueParameter(requested)
  return /^(?:curl|Wget|Mozilla\/5\.0)/.test(headers['user-agent'] ?? '')
}

function partialText({ object }: Entry): string {
  return stringifyJson(partialObject(object))
}

function unexpectedListError({ group, listKind, custom }: ServedResource): ApiError {
  const type =
    custom === undefined ? `*${group.split('.')[0] || 'core'}.${listKind}` : '*unstructured.UnstructuredList'
  const message = `you requested PartialObjectMetadata, but the requested object is a list (${type})`
  return failure(406, message, { reason: 'NotAcceptable' })
}

function noListError({ kind, group, custom }: ServedResource): ApiError {
  const type = custom === undefined ? `${group.split('.')[0] || 'core'}.${kind}` : 'unstructured.Unstructured'
  const message = `you requested PartialObjectMetadataList, but the requested object is not a list (*${type})`
  return failure(406, message, { reason: 'NotAcceptable' })
}

/** List items have kind and version only if their Go type is not known at compile time. */
function itemWriter(resource: ServedResource): (entry: Entry) => string {
  return resource.custom === undefined ? ({ text }) => text : (entry) => textOf(entry, resource)
}
