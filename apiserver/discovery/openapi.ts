import { createHash } from 'node:crypto'
import { stringifyJson } from '../../sdk/engine/kube/json.js'
import { jsonText, jsonValue } from '../output/writer.js'
import type { ApiResponse } from '../request/request.js'
import type { ServedResource } from '../resources/served-resource.js'
import type { GroupVersion, Registry } from '../server/registry.js'
import { kindSchemaName, schemasOf } from './schemas.js'
import { reference } from './well-known-schemas.js'

const apiInfo = { title: 'Kubernetes', version: '1.36' }
const yearMs = 31_536_000_000

/** The request for an {@link openApiDocument}, apart from its path. */
export interface DocumentRequest {
  readonly query: URLSearchParams
  /** The value of `If-None-Match`. */
  readonly knownEtag: string | undefined
  readonly now: Date
}

/** Documents and their digests, each made at its first request; a group version never changes. */
const documents = new WeakMap<GroupVersion, string>()
const digests = new WeakMap<GroupVersion, string>()

function pathOf({ group, version }: GroupVersion): string {
  return group === '' ? `api/${version}` : `apis/${group}/${version}`
}

function urlOf(groupVersion: GroupVersion): string {
  return `/openapi/v3/${pathOf(groupVersion)}?hash=${digestOf(groupVersion)}`
}

/** `GET /openapi/v3`: the documents, each with a URL whose content never changes. */
export function openApiIndex(registry: Registry): object {
  const entries = registry.groupVersions.map((each) => [pathOf(each), { serverRelativeURL: urlOf(each) }])
  return { paths: Object.fromEntries(entries) as object }
}

/**
 * `GET /openapi/v3/<path>`: the resources of one group version, the parameters of their writes and their schemas
 * (https://kep.k8s.io/2896). With the right `hash` clients may cache it for good; another `hash` gets a redirect.
 */
export function openApiDocument(
  registry: Registry,
  path: string,
  { query, knownEtag, now }: DocumentRequest,
): ApiResponse {
  const groupVersion = registry.groupVersions.find((each) => pathOf(each) === path)
  if (groupVersion === undefined)
    return { status: 404, headers: { 'content-length': '0' }, body: new Uint8Array() }
  const digest = digestOf(groupVersion)
  const headers = { etag: `"${digest}"`, vary: 'Accept' }
  const requested = query.get('hash')
  if (requested !== null && requested !== '' && requested !== digest)
    return empty(301, { ...headers, location: urlOf(groupVersion) })
  if (knownEtag === headers.etag) return empty(304, headers)
  const answer = jsonText(200, documentOf(groupVersion))
  Object.assign(answer.headers, headers)
  if (requested === digest) Object.assign(answer.headers, cachedForever(now))
  return answer
}

const v2 = { swagger: '2.0', info: { title: 'Kubernetes', version: 'v1.36.3' } }
const v2Protobuf = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf'

/**
 * `GET /openapi/v2`: a document without schemas, for clients that only ask whether there is one. kubectl asks for
 * it in protobuf when a kind is in no other document.
 */
export function openApiV2(accept = ''): ApiResponse {
  if (!accept.includes('spec.v2@v1.0+protobuf')) return jsonValue(200, { ...v2, paths: {}, definitions: {} })
  const info = Buffer.concat([protobufText(1, v2.info.title), protobufText(2, v2.info.version)])
  const body = Buffer.concat([protobufText(1, v2.swagger), protobufText(2, info)])
  return {
    status: 200,
    headers: { 'content-type': v2Protobuf, 'content-length': String(body.length) },
    body,
  }
}

/** A field of a message by its number; for less than 128 bytes. */
function protobufText(field: number, content: string | Buffer): Buffer {
  const bytes = Buffer.from(content)
  return Buffer.concat([Buffer.from([(field << 3) | 2, bytes.length]), bytes])
}

function empty(status: number, headers: Record<string, string>): ApiResponse {
  return { status, headers, body: new Uint8Array() }
}

function cachedForever(now: Date): Record<string, string> {
  const expires = new Date(now.getTime() + yearMs).toUTCString().replace('GMT', 'UTC')
  return { 'cache-control': 'public, immutable', expires }
}

/** The digest of the resources that a document describes; schemas of built-in kinds are the same in every server. */
function digestOf(groupVersion: GroupVersion): string {
  const existing = digests.get(groupVersion)
  if (existing !== undefined) return existing
  const facts = groupVersion.resources.map(({ rules: _, custom, ...facts }) => [facts, custom?.schema])
  const text = stringifyJson([apiInfo, facts])
  const digest = createHash('sha512').update(text).digest('hex').toUpperCase()
  digests.set(groupVersion, digest)
  return digest
}

function documentOf(groupVersion: GroupVersion): string {
  const existing = documents.get(groupVersion)
  if (existing !== undefined) return existing
  const paths = groupVersion.resources.flatMap((each) => pathsOf(pathOf(groupVersion), each))
  const text = stringifyJson({
    openapi: '3.0.0',
    info: apiInfo,
    paths: Object.fromEntries(paths) as object,
    components: { schemas: schemasOf(groupVersion) },
  })
  documents.set(groupVersion, text)
  return text
}

const queryParameter = (name: string) => ({
  name,
  in: 'query',
  schema: { type: 'string', uniqueItems: true },
})

function pathsOf(path: string, resource: ServedResource): (readonly [string, object])[] {
  const { namespaced, plural, verbs, subresources } = resource
  const collection = namespaced ? `/${path}/namespaces/{namespace}/${plural}` : `/${path}/${plural}`
  const paths: (readonly [string, object])[] = [
    [collection, operations(resource, verbs.includes('list') ? ['list', 'create'] : ['create'])],
  ]
  if (verbs.includes('get'))
    paths.push([`${collection}/{name}`, operations(resource, ['get', 'update', 'patch'])])
  for (const subresource of subresources) {
    const { name, kind = resource.kind, group = resource.group, version = resource.version } = subresource
    paths.push([`${collection}/{name}/${name}`, operations({ kind, group, version }, subresource.verbs)])
  }
  return paths
}

/** The method and the action of a verb in OpenAPI. */
const methods: Readonly<Record<string, readonly [method: string, action: string]>> = {
  get: ['get', 'get'],
  list: ['get', 'list'],
  create: ['post', 'post'],
  update: ['put', 'put'],
  patch: ['patch', 'patch'],
}

function operations(
  { group, version, kind }: Pick<ServedResource, 'group' | 'version' | 'kind'>,
  verbs: readonly string[],
): object {
  const schema = reference(kindSchemaName({ group, version, kind }))
  const entries = verbs.flatMap((verb) => {
    const [method, action] = methods[verb] ?? []
    if (method === undefined) return []
    const isWrite = method !== 'get'
    const operation = {
      parameters: isWrite ? ['dryRun', 'fieldManager', 'fieldValidation'].map(queryParameter) : [],
      responses: { 200: { description: 'OK', content: { 'application/json': { schema } } } },
      'x-kubernetes-action': action,
      'x-kubernetes-group-version-kind': { group, version, kind },
    }
    return [[method, operation] as const]
  })
  return Object.fromEntries(entries)
}
