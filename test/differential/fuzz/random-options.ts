import type { FuzzRequest } from './fuzz-request.js'
import type { Random } from './random.js'

/** The verb of a request. */
export type Verb = 'create' | 'get' | 'list' | 'update' | 'patch' | 'apply' | 'delete' | 'deletecollection'

type Choices = Readonly<Record<string, readonly string[]>>

const writeOptions: Choices = {
  dryRun: ['All', 'All', 'Some', ''],
  fieldValidation: ['Strict', 'Strict', 'Warn', 'Ignore', 'Odd'],
  fieldManager: ['one', 'one', 'two', 'two', 'm'.repeat(129), 'bad\u0007name'],
  pretty: ['true', 'false'],
}
const selectOptions: Choices = {
  labelSelector: ['fuzz', 'a=b', 'a!=b', 'a in (b,c)', '!a', 'a in', 'a==b,c', '-x=y', ''],
  fieldSelector: [
    'metadata.name=a',
    'metadata.name!=a',
    'metadata.namespace=x',
    'spec.odd=a',
    'a',
    'type=Normal',
    '',
  ],
}
const pageOptions: Choices = {
  limit: ['1', '500', '-1', 'one', '0'],
  resourceVersion: ['0', '0', '1', 'one', '-1', '99999999'],
  resourceVersionMatch: ['Exact', 'NotOlderThan', 'Odd'],
  continue: ['nonsense', ''],
  timeoutSeconds: ['5', 'five'],
  sendInitialEvents: ['true'],
  allowWatchBookmarks: ['true'],
  pretty: ['true'],
}
const deleteOptions: Choices = {
  propagationPolicy: ['Background', 'Foreground', 'Orphan', 'Odd'],
  gracePeriodSeconds: ['0', '5', '-1', 'soon'],
  orphanDependents: ['true'],
  dryRun: ['All', 'Some'],
}

const byVerb: Readonly<Record<Verb, Choices>> = {
  create: writeOptions,
  update: writeOptions,
  patch: { ...writeOptions, force: ['true', 'false'] },
  apply: writeOptions,
  get: { resourceVersion: ['0', 'one', '1'], pretty: ['true', 'false'], surprise: ['1'] },
  list: { ...selectOptions, ...pageOptions },
  delete: deleteOptions,
  deletecollection: { ...selectOptions, ...deleteOptions },
}

/** Query options for a verb, usually few. */
export function queryFor(verb: Verb, random: Random): FuzzRequest['query'] {
  const choices = byVerb[verb]
  const names = Object.keys(choices)
  const count = random.pick([0, 0, 0, 1, 1, 2])
  const chosen = new Set(Array.from({ length: count }, () => random.pick(names)))
  const query = [...chosen].map((name) => [name, random.pick(choices[name] ?? [''])] as const)
  if (verb !== 'apply') return query
  const manager =
    chosen.has('fieldManager') || random.chance(0.05) ? [] : [['fieldManager', 'applier'] as const]
  return [...query, ...manager, ...(random.chance(0.4) ? [['force', 'true'] as const] : [])]
}

const partialType = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1'
const partialListType = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1'
const tableType = 'application/json;as=Table;g=meta.k8s.io;v=v1'
const odd = [
  'text/html',
  'application/cbor',
  '*/*',
  'application/*',
  'text/plain, */*',
  'application/json;as=Table;v=v2;g=meta.k8s.io',
]

/** An Accept header, usually none. */
export function acceptFor(verb: Verb, random: Random): FuzzRequest['headers'] {
  const form = random.weighted({ none: 84, table: 6, partial: 4, both: 2, odd: 2, yaml: 2 })
  if (form === 'none') return {}
  if (form === 'odd') return { accept: random.pick(odd) }
  if (form === 'yaml') return { accept: 'application/yaml' }
  const partial = verb === 'list' ? partialListType : partialType
  if (form === 'both') return { accept: `${tableType},application/json` }
  return { accept: form === 'table' ? tableType : partial }
}

/** A patch type, usually a valid one. */
export function patchType(random: Random): string {
  const type = random.weighted({ merge: 34, strategic: 34, json: 28, odd: 4 })
  if (type === 'odd') return random.pick(['application/json', 'text/plain', 'application/patch+json'])
  return `application/${{ merge: 'merge-patch', strategic: 'strategic-merge-patch', json: 'json-patch' }[type]}+json`
}
