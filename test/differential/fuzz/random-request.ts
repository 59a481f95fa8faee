import { stringify } from 'yaml'
import { randomAdmission } from './admission.js'
import type { FuzzKind } from './fuzz-kinds.js'
import {
  type FuzzRequest,
  type FuzzSequence,
  namespacePlaceholder,
  revisionPlaceholder,
  uidPlaceholder,
} from './fuzz-request.js'
import { oddRequest } from './odd-request.js'
import type { Random } from './random.js'
import { randomChange, randomObject, randomSteps } from './random-body.js'
import { acceptFor, patchType, queryFor, type Verb } from './random-options.js'

/** The weight of each verb. */
const verbs: Readonly<Record<Verb | 'odd', number>> = {
  create: 20,
  get: 8,
  list: 12,
  update: 14,
  patch: 16,
  apply: 8,
  delete: 9,
  deletecollection: 3,
  odd: 6,
}
const changes = new Set<string>(['create', 'update', 'patch', 'apply', 'delete', 'deletecollection'])

/** A request for one kind, or an invalid one. */
export function randomRequest(kind: FuzzKind, random: Random): FuzzRequest {
  const verb = random.weighted(verbs)
  if (verb === 'odd') return oddRequest(kind, random)
  const request = requestOf(verb, kind, random)
  const mustBeDry = kind.dryRunOnly && changes.has(verb)
  const query = request.query.filter(([name]) => !mustBeDry || name !== 'dryRun')
  return mustBeDry ? { ...request, query: [...query, ['dryRun', 'All']] } : request
}

/** A sequence: sets up admission if asked to, creates an object, then sends requests for it and its neighbours. */
export function randomSequence(
  kinds: readonly FuzzKind[],
  random: Random,
  hasAdmission = false,
): FuzzSequence {
  const kind = random.pick(kinds)
  const length = 2 + random.below(6)
  const first: FuzzRequest = {
    method: 'POST',
    path: collectionOf(kind),
    query: kind.dryRunOnly ? [['dryRun', 'All']] : [],
    headers: { 'content-type': 'application/json' },
    body: { apiVersion: kind.apiVersion, kind: kind.kind, ...kind.base, metadata: metadataOf(kind) },
  }
  return [
    ...(hasAdmission ? randomAdmission(random) : []),
    first,
    ...Array.from({ length }, () => randomRequest(kind, random)),
  ]
}

function metadataOf(kind: FuzzKind): object {
  return { name: nameOf(kind, 'a'), labels: { fuzz: namespacePlaceholder } }
}

/** Names of cluster-scoped objects contain the sequence's namespace. */
function nameOf(kind: FuzzKind, name: string): string {
  if (kind.kind === 'CustomResourceDefinition') return 'things.fuzz.example.com'
  if (kind.kind === 'IPAddress') return name === 'a' ? '192.0.2.1' : '192.0.2.2'
  return kind.namespaced ? name : `${namespacePlaceholder}-${name}`
}

/** The path of a kind's objects in the sequence's namespace. */
export function collectionOf({ apiVersion, plural, namespaced }: FuzzKind): string {
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`
  return namespaced ? `${root}/namespaces/${namespacePlaceholder}/${plural}` : `${root}/${plural}`
}

function requestOf(verb: Verb, kind: FuzzKind, random: Random): FuzzRequest {
  const name = nameOf(kind, random.pick(['a', 'a', 'a', 'b']))
  const sub = subresourceFor(verb, kind, random)
  const object = `${collectionOf(kind)}/${name}${sub}`
  const query = queryFor(verb, random)
  const accept = acceptFor(verb, random)
  const body = { kind, name }
  switch (verb) {
    case 'create':
      return {
        method: 'POST',
        path: collectionOf(kind),
        query,
        ...content(randomObject(body, random), accept, random),
      }
    case 'update':
      return {
        method: 'PUT',
        path: object,
        query,
        ...content(updateOf(randomObject(body, random), random), accept, random),
      }
    case 'patch':
      return { method: 'PATCH', path: object, query, ...patchOf(body, accept, random) }
    case 'apply':
      return { method: 'PATCH', path: object, query, ...applyOf(randomObject(body, random), accept, random) }
    case 'get':
      return { method: 'GET', path: object, query, headers: accept }
    case 'delete':
      return { method: 'DELETE', path: object, query, ...deleteBody(accept, random) }
    case 'list':
    case 'deletecollection':
      return {
        method: verb === 'list' ? 'GET' : 'DELETE',
        path: collectionOf(kind),
        query: selected(query),
        headers: accept,
      }
  }
}

/** The servers' objects outside the sequence differ, so lists are restricted. */
function selected(query: FuzzRequest['query']): FuzzRequest['query'] {
  const labels = query.find(([name]) => name === 'labelSelector')?.[1]
  const others = query.filter(([name]) => name !== 'labelSelector')
  const own = `fuzz=${namespacePlaceholder}`
  return [...others, ['labelSelector', labels === undefined || labels === '' ? own : `${own},${labels}`]]
}

function subresourceFor(verb: Verb, kind: FuzzKind, random: Random): string {
  const has = kind.subresources.filter((name) => name === 'status' || name === 'scale')
  if (has.length === 0 || !['get', 'update', 'patch', 'apply'].includes(verb) || random.chance(0.75))
    return ''
  return `/${random.pick(has)}`
}

/** An update, with or without the resourceVersion. */
function updateOf(object: Record<string, unknown>, random: Random): Record<string, unknown> {
  if (random.chance(0.5) || typeof object.metadata !== 'object' || Array.isArray(object.metadata))
    return object
  const known = random.chance(0.8)
    ? { resourceVersion: revisionPlaceholder }
    : { resourceVersion: revisionPlaceholder, uid: uidPlaceholder }
  return { ...object, metadata: { ...object.metadata, ...known } }
}

type Content = Pick<FuzzRequest, 'headers' | 'body'>
type Headers = FuzzRequest['headers']

function content(body: unknown, accept: Headers, random: Random): Content {
  const form = random.weighted({ json: 88, yaml: 8, charset: 2, none: 1, odd: 1 })
  const types = {
    json: 'application/json',
    yaml: 'application/yaml',
    charset: 'application/json; charset=utf-8',
  }
  if (form === 'none') return { headers: accept, body }
  if (form === 'odd')
    return { headers: { ...accept, 'content-type': random.pick(['text/plain', 'nonsense']) }, body }
  const headers = { ...accept, 'content-type': types[form] }
  return { headers, body: form === 'yaml' ? stringify(body, { aliasDuplicateObjects: false }) : body }
}

function patchOf(body: Parameters<typeof randomChange>[0], accept: Headers, random: Random): Content {
  const type = patchType(random)
  const patch = type.includes('json-patch') ? randomSteps(body, random) : randomChange(body, random)
  return { headers: { ...accept, 'content-type': type }, body: patch }
}

function applyOf(object: unknown, accept: Headers, random: Random): Content {
  return {
    headers: { ...accept, 'content-type': 'application/apply-patch+yaml' },
    body: random.chance(0.5) ? stringify(object, { aliasDuplicateObjects: false }) : object,
  }
}

function deleteBody(accept: Headers, random: Random): Content {
  if (random.chance(0.6)) return { headers: accept }
  const options = random.pick<Record<string, unknown>>([
    {},
    { propagationPolicy: 'Foreground' },
    { propagationPolicy: 'Orphan' },
    { propagationPolicy: 'Sideways' },
    { gracePeriodSeconds: 0 },
    { gracePeriodSeconds: -1 },
    { preconditions: { uid: uidPlaceholder } },
    { preconditions: { resourceVersion: '1' } },
    { preconditions: { uid: 'wrong' } },
    { orphanDependents: true, propagationPolicy: 'Orphan' },
    { dryRun: ['All'] },
    { dryRun: ['Some'] },
    { surprise: 1 },
  ])
  const kind = random.chance(0.6) ? { apiVersion: 'v1', kind: 'DeleteOptions' } : {}
  return { headers: { ...accept, 'content-type': 'application/json' }, body: { ...kind, ...options } }
}
