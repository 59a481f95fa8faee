import { stringifyJson } from '../../sdk/engine/kube/json.js'
import type { ServerClock } from '../base/clock.js'
import { once } from '../base/once.js'
import { jsonText, jsonValue, plainText } from '../output/writer.js'
import type { ApiRequest, ApiResponse } from '../request/request.js'
import type { RequestInfo } from '../request/request-info.js'
import { methodNotAllowed, noSuchResource } from '../request/status.js'
import type { Registry } from '../server/registry.js'
import {
  aggregatedDiscovery,
  aggregatedType,
  coreVersions,
  group,
  groupList,
  resourceList,
  wantsAggregated,
} from './discovery.js'
import type { DocumentRequest } from './openapi.js'

/** The Kubernetes release whose behaviour this server has. */
const serverVersion = {
  major: '1',
  minor: '36',
  gitVersion: 'v1.36.3',
  gitCommit: '',
  gitTreeState: 'clean',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: 'go1.26',
  compiler: 'gc',
  platform: 'linux/amd64',
}

const healthPaths = new Set(['healthz', 'livez', 'readyz'])
/** The single checks of {@link healthPaths}. */
const checks = ['ping', 'log', 'etcd']

/** Answers a path like `/readyz` or `/readyz/ping`; undefined for an unknown check. */
function healthAnswer(root: string, check: string, query: URLSearchParams): ApiResponse | undefined {
  if (check !== '')
    return checks.includes(check) ? jsonText(200, 'ok', 'text/plain; charset=utf-8') : undefined
  if (!query.has('verbose')) return plainText(200, 'ok')
  const excluded = query.getAll('exclude')
  const lines = checks.map((name) => `[+]${name} ${excluded.includes(name) ? 'excluded: ok' : 'ok'}\n`)
  return plainText(200, `${lines.join('')}${root} check passed\n`)
}

/** The parts of a server that {@link nonResource} uses. */
export interface NonResourceParts {
  readonly registry: Registry
  readonly clock: ServerClock
}

/** Answers a path that is not a resource; undefined for an unknown path. */
export function nonResource(
  { method, headers = {} }: Pick<ApiRequest, 'method' | 'headers'>,
  { path, query }: RequestInfo,
  { registry, clock }: NonResourceParts,
): Promise<ApiResponse | undefined> | ApiResponse | undefined {
  if (path.includes('//')) return undefined
  const segments = path.split('/').filter(Boolean)
  const [root = '', ...below] = segments
  if (healthPaths.has(root))
    return path.endsWith('/') ? undefined : healthAnswer(root, below.join('/'), query)
  if (path === '/') return jsonText(200, JSON.stringify({ paths: allPaths(registry) }, null, 2))
  if (root === 'version') return versionInfo(method, below)
  if (root === 'openapi') {
    if (path === '/openapi/v2') return openApiV2(headers.accept)
    if (path.startsWith('/openapi/v3/') && path.endsWith('/')) return emptyNotFound()
    const knownEtag = headers['if-none-match']
    return openApi(registry, segments.slice(1), { query, knownEtag, now: clock.date() })
  }
  return root === 'api' || root === 'apis' ? discovery(registry, segments, { method, headers }) : undefined
}

/** Answers `/version`. Throws 404 for paths below it, and 405 for methods other than GET. */
function versionInfo(method: string, below: readonly string[]): ApiResponse {
  if (below.length > 0) throw noSuchResource()
  checkGet(method)
  return jsonValue(200, serverVersion)
}

/**
 * Groups, versions and resources. Throws 405 for methods other than GET at the paths where a real server
 * does.
 */
function discovery(
  registry: Registry,
  [root = '', first = '', second = '', ...excess]: readonly string[],
  { method, headers = {} }: Pick<ApiRequest, 'method' | 'headers'>,
): ApiResponse | undefined {
  if (excess.length > 0) return undefined
  const answer = discoveryAnswer(registry, [root, first, second], headers.accept)
  const isLoose = root === 'apis' && (second === '' || !registry.isBuiltIn(first))
  if (answer !== undefined && !isLoose) checkGet(method)
  return answer
}

function discoveryAnswer(
  registry: Registry,
  [root, first, second]: readonly [root: string, first: string, second: string],
  accept: string | undefined,
): ApiResponse | undefined {
  if (first === '') return rootOf(registry, root === 'api' ? 'api' : 'apis', accept)
  if (root === 'api') return second === '' ? versionOf(registry, '', first) : undefined
  return second === '' ? jsonIfFound(group(registry, first)) : versionOf(registry, first, second)
}

/** Throws 405. */
function checkGet(method: string): void {
  if (method !== 'GET') throw methodNotAllowed()
}

/** The 404 of OpenAPI documents, which has no body. */
function emptyNotFound(): ApiResponse {
  return { status: 404, headers: { 'content-length': '0' }, body: new Uint8Array() }
}

/** The paths that the root lists: groups, their versions, and the other paths that answer. */
function allPaths({ groupVersions }: Registry): string[] {
  const below = groupVersions.flatMap(({ group: name, version }) =>
    name === '' ? [`/api/${version}`] : [`/apis/${name}`, `/apis/${name}/${version}`],
  )
  return [...new Set([...otherPaths, ...below])].sort()
}

const otherPaths = [
  '/.well-known/openid-configuration',
  '/api',
  '/apis',
  '/apis/',
  '/healthz',
  '/livez',
  '/openapi/v2',
  '/openapi/v3',
  '/openapi/v3/',
  '/openid/v1/jwks',
  '/readyz',
  '/version',
]

/**
 * The resources of a group version. Throws 404 for another version of a built-in group; undefined for an
 * unknown group.
 */
function versionOf(registry: Registry, name: string, version: string): ApiResponse | undefined {
  const list = resourceList(registry, name, version)
  if (list === undefined && registry.isBuiltIn(name)) throw noSuchResource()
  return jsonIfFound(list)
}

function jsonIfFound(value: object | undefined): ApiResponse | undefined {
  return value === undefined ? undefined : jsonValue(200, value)
}

function rootOf(registry: Registry, root: 'api' | 'apis', accept: string | undefined): ApiResponse {
  if (wantsAggregated(accept))
    return jsonText(200, stringifyJson(aggregatedDiscovery(registry, root)), aggregatedType)
  return jsonValue(200, root === 'api' ? coreVersions() : groupList(registry))
}

/** Loads the code of the OpenAPI documents with the first request for one. */
const loadOpenApi = once(() => import('./openapi.js'))

async function openApiV2(accept: string | undefined): Promise<ApiResponse> {
  const documents = await loadOpenApi()
  return documents.openApiV2(accept)
}

async function openApi(
  registry: Registry,
  [version, ...path]: readonly string[],
  request: DocumentRequest,
): Promise<ApiResponse | undefined> {
  if (version !== 'v3') return undefined
  const { openApiDocument, openApiIndex } = await loadOpenApi()
  if (path.length > 0) return openApiDocument(registry, path.join('/'), request)
  return jsonValue(200, openApiIndex(registry))
}
