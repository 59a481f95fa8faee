import type { FuzzKind } from './fuzz-kinds.js'
import { type FuzzRequest, namespacePlaceholder } from './fuzz-request.js'
import type { Random } from './random.js'

const paths = [
  '/api',
  '/apis',
  '/api/v2',
  '/apis/apps',
  '/apis/apps/',
  '/apis/apps/v9',
  '/apis/nothing.example.com/v1',
  '/api/v1/namespaces/%24NS',
  '/api/v1/namespaces/default/status',
  '/api/v1/namespaces/default/finalize',
  '/api/v1/nothing',
  '/api/v1/namespaces/default/pods/a/nothing',
  '/api/v1/namespaces/default/pods/a/log',
  '/api/v1/namespaces/default/services/a/proxy',
  '/api/v1/namespaces/default/configmaps/a%2Fb',
  '/api/v1/namespaces/default/configmaps/..',
  '/api/v1/namespaces//configmaps',
  '/api/v1//configmaps',
  '//api/v1',
  '/healthz',
  '/readyz/nothing',
  '/livez/ping',
  '/version',
  '/version/',
  '/nothing',
  '/openapi/v3/api/v9',
  '/api/v1/namespaces/default/configmaps/a/b/c/d',
]
const methods = ['GET', 'GET', 'GET', 'GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE']
const bodies: readonly string[] = [
  '',
  '{',
  '[]',
  'null',
  '{}',
  'a: b',
  '{"kind":"Status","apiVersion":"v1"}',
  '{"a":1}{"b":2}',
]

/** A request with an invalid path, an unsupported method or an unreadable body. */
export function oddRequest(kind: FuzzKind, random: Random): FuzzRequest {
  const root = kind.apiVersion.includes('/') ? `/apis/${kind.apiVersion}` : `/api/${kind.apiVersion}`
  const own = [
    `${root}/${kind.plural}/a`,
    `${root}/namespaces/${namespacePlaceholder}/${kind.plural}/a/status`,
    `${root}/namespaces/${namespacePlaceholder}/${kind.plural}/a/scale`,
    `${root}/namespaces/${namespacePlaceholder}/${kind.plural}/missing`,
    `${root}/namespaces/${namespacePlaceholder}/${kind.plural}/Bad_Name`,
    `${root}/namespaces/Bad_Name/${kind.plural}/a`,
    `${root}/watch/namespaces/nowhere/${kind.plural}/a/b`,
    `${root}/${kind.plural.slice(0, -1)}`,
  ]
  const method = random.pick(methods)
  const path = random.chance(0.5) ? random.pick(own) : random.pick(paths)
  const hasBody = method === 'POST' || method === 'PUT' || method === 'PATCH'
  const headers = hasBody ? { 'content-type': bodyType(method, random) } : {}
  return {
    method,
    path,
    query: [['dryRun', 'All']],
    headers,
    ...(hasBody ? { body: random.pick(bodies) } : {}),
  }
}

function bodyType(method: string, random: Random): string {
  if (method !== 'PATCH') return random.pick(['application/json', 'application/json', 'application/yaml'])
  return random.pick([
    'application/merge-patch+json',
    'application/json-patch+json',
    'application/apply-patch+yaml',
  ])
}
