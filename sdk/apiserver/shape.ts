import type { KubeObject, ObjectMeta } from '../kube/object.js'
import { apiVersionOf } from '../kube/resource.js'
import { type FieldShape, type OpenObject, recordOf } from './kinds/kind-rules.js'
import type { ServedResource } from './served-resource.js'
import { badRequest } from './status.js'

type MetadataShape = FieldShape | 'number'

/** In the order in which Kubernetes writes them; what is not here is dropped. */
const METADATA_FIELDS: readonly (readonly [keyof ObjectMeta, MetadataShape])[] = [
  ['name', 'string'],
  ['generateName', 'string'],
  ['namespace', 'string'],
  ['uid', 'string'],
  ['resourceVersion', 'string'],
  ['generation', 'number'],
  ['creationTimestamp', 'string'],
  ['deletionTimestamp', 'string'],
  ['deletionGracePeriodSeconds', 'number'],
  ['labels', 'strings'],
  ['annotations', 'strings'],
  ['ownerReferences', 'any'],
  ['finalizers', 'any'],
]

/**
 * Makes what a client sent into an object of the resource: kind and version checked and taken off, metadata
 * reduced to the fields there are, known fields checked for their type. Throws 400 in the words of Go's
 * decoder.
 */
export function shapeObject(body: unknown, resource: ServedResource): OpenObject {
  const given = recordOf(body)
  checkKind(given, resource)
  const { kind: _kind, apiVersion: _apiVersion, metadata, ...rest } = given
  const shaped = { metadata: shapeMetadata(metadata, resource) }
  if (resource.custom !== undefined) return { ...shaped, ...rest }
  return { ...shaped, ...shapeFields(rest, resource) }
}

function checkKind(given: Record<string, unknown>, resource: ServedResource): void {
  const { kind = resource.kind, apiVersion = apiVersionOf(resource) } = given
  const expected = apiVersionOf(resource)
  if (kind === resource.kind && apiVersion === expected) return
  if (apiVersion !== expected) {
    throw badRequest(
      `the API version in the data (${apiVersion}) does not match the expected API version (${expected})`,
    )
  }
  throw cannotHandle(resource, `no kind "${kind}" is served as ${resource.plural}`)
}

function cannotHandle({ kind, version }: ServedResource, problem: string) {
  return badRequest(`${kind} in version "${version}" cannot be handled as a ${kind}: ${problem}`)
}

function shapeMetadata(metadata: unknown, resource: ServedResource): ObjectMeta {
  const given = recordOf(metadata)
  const shaped: Record<string, unknown> = {}
  for (const [field, shape] of METADATA_FIELDS) {
    const value = shapeField(given[field], { shape, path: `metadata.${field}`, resource })
    if (value !== undefined && value !== '') shaped[field] = value
  }
  return shaped
}

function shapeFields(given: Record<string, unknown>, resource: ServedResource): Record<string, unknown> {
  const { fields } = resource.rules
  const names = fields === undefined ? Object.keys(given) : Object.keys(fields)
  const shaped: [string, unknown][] = []
  for (const name of names) {
    const value = shapeField(given[name], { shape: fields?.[name] ?? 'any', path: name, resource })
    if (value !== undefined) shaped.push([name, value])
  }
  return Object.fromEntries(shaped)
}

interface Place {
  readonly shape: MetadataShape
  readonly path: string
  readonly resource: ServedResource
}

/** The value if it has its type; nothing for null and for an empty list or map, which Kubernetes leaves out. */
function shapeField(value: unknown, place: Place): unknown {
  if (value === undefined || value === null) return undefined
  if (place.shape === 'strings' || place.shape === 'bytes') return shapeTexts(value, place)
  if (place.shape !== 'any') return typeof value === place.shape ? value : failType(value, place)
  return Array.isArray(value) && value.length === 0 ? undefined : value
}

function shapeTexts(value: unknown, place: Place): unknown {
  if (typeof value !== 'object' || Array.isArray(value)) return failType(value, place)
  const members = Object.entries(recordOf(value))
  if (members.length === 0) return undefined
  const nulls = members.some(([, member]) => member === null)
  const wrong = members.find(([, member]) => member !== null && typeof member !== 'string')
  if (wrong !== undefined) return failType(wrong[1], { ...place, shape: 'string' })
  if (place.shape === 'bytes') checkBase64(members, place)
  return nulls ? Object.fromEntries(members.map(([key, member]) => [key, member ?? ''])) : value
}

function checkBase64(members: readonly [string, unknown][], place: Place): void {
  for (const [, member] of members) {
    const bad = /[^A-Za-z0-9+/=\r\n]/.exec(String(member ?? ''))
    if (bad === null) continue
    throw cannotHandle(place.resource, `illegal base64 data at input byte ${bad.index}`)
  }
}

const GO_TYPES: Record<MetadataShape, string> = {
  string: 'string',
  boolean: 'bool',
  number: 'int64',
  strings: 'map[string]string',
  bytes: 'map[string][]uint8',
  any: 'object',
}

function failType(value: unknown, { shape, path, resource }: Place): never {
  const type = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value
  const owner = path.startsWith('metadata.') ? 'ObjectMeta' : resource.kind
  throw cannotHandle(
    resource,
    `json: cannot unmarshal ${type} into Go struct field ${owner}.${path} of type ${GO_TYPES[shape]}`,
  )
}

/** The object as it is told to clients, with the kind and version it was asked for in. */
export function withKind(
  object: KubeObject,
  resource: Pick<ServedResource, 'kind' | 'group' | 'version'>,
): KubeObject {
  return { kind: resource.kind, apiVersion: apiVersionOf(resource), ...object }
}
