import { isJsonObject } from '../../../sdk/engine/kube/json-object.js'
import { isInt64 } from '../../base/go-values.js'
import { fieldMismatch } from '../../base/json-type.js'
import { ownEntry } from '../../base/own-entry.js'
import { badBase64 } from '../../schema/typed-scalars.js'

/** A type of Go, and the JSON values that its decoder reads. */
interface GoType {
  readonly name: string
  readonly holds: (value: unknown) => boolean
  /** The types of a list's elements or of a map's values. */
  readonly elements?: GoType
  /** The types of a struct's fields by their JSON names. */
  readonly fields?: Readonly<Record<string, GoType>>
  /** The name of an embedded struct that has the field. */
  readonly embeddedIn?: string
  /** The problem of a value of the right JSON type. */
  readonly problem?: (value: unknown) => string | undefined
}

const isText = (value: unknown) => typeof value === 'string'
const isInteger = (value: unknown) => Number.isInteger(value) || typeof value === 'bigint'

const text = (name = 'string'): GoType => ({ name, holds: isText })
const struct = (name: string, fields: GoType['fields'] = {}): GoType => ({
  name,
  holds: isJsonObject,
  fields,
})
const list = (elements: GoType): GoType => ({ name: `[]${elements.name}`, holds: Array.isArray, elements })
const int32: GoType = {
  name: 'int32',
  holds: (value) =>
    isInteger(value) && BigInt.asIntN(32, BigInt(value as number)) === BigInt(value as number),
}
const int64: GoType = {
  name: 'int64',
  holds: (value) => isInteger(value) && isInt64(BigInt(value as number)),
}
const bytes: GoType = {
  name: '[]uint8',
  holds: isText,
  problem(value) {
    const bad = badBase64(String(value))
    return bad === undefined ? undefined : `illegal base64 data at input byte ${bad}`
  },
}
const typeMeta: GoType = { ...text(), embeddedIn: 'TypeMeta' }

const statusCause = struct('v1.StatusCause', {
  reason: text('v1.CauseType'),
  message: text(),
  field: text(),
})

const statusDetails = struct('v1.StatusDetails', {
  name: text(),
  group: text(),
  kind: text(),
  uid: text('types.UID'),
  causes: list(statusCause),
  retryAfterSeconds: int32,
})

const listMeta = struct('v1.ListMeta', {
  selfLink: text(),
  resourceVersion: text(),
  continue: text(),
  remainingItemCount: int64,
  shardInfo: struct('v1.ShardInfo'),
})

const status = struct('v1.Status', {
  apiVersion: typeMeta,
  kind: typeMeta,
  metadata: listMeta,
  status: text(),
  message: text(),
  reason: text('v1.StatusReason'),
  details: statusDetails,
  code: int32,
})

const responseType = (version: string): GoType =>
  struct(`${version}.AdmissionResponse`, {
    uid: text('types.UID'),
    allowed: { name: 'bool', holds: (value) => typeof value === 'boolean' },
    status,
    patch: bytes,
    patchType: text(`${version}.PatchType`),
    auditAnnotations: { name: 'map[string]string', holds: isJsonObject, elements: text() },
    warnings: list(text()),
  })

/** The error of Go's decoder for a response with a member of a wrong type; undefined if it has none. */
export function responseTypeProblem(response: unknown, version: string): string | undefined {
  if (response === undefined) return undefined
  return problemOf(response, responseType(version), { owner: 'AdmissionReview', path: 'response' })
}

/** A field in an error: the struct that has it, and the names of the fields that lead to it. */
interface FieldPath {
  readonly owner: string
  readonly path: string
}

/** Go leaves a field as it is where the JSON has null. */
function problemOf(value: unknown, type: GoType, { owner, path }: FieldPath): string | undefined {
  if (value === null) return undefined
  if (!type.holds(value)) return fieldMismatch(value, `${owner}.${path}`, type.name)
  const { elements, fields } = type
  if (elements !== undefined)
    return firstOf(Object.values(value as object), (each) => problemOf(each, elements, { owner, path }))
  if (fields === undefined) return type.problem?.(value)
  const name = type.name.slice(type.name.indexOf('.') + 1)
  return firstOf(Object.entries(value as object), ([field, member]) => {
    const fieldType = ownEntry(fields, field)
    if (fieldType === undefined) return undefined
    const { embeddedIn } = fieldType
    const ownPath = embeddedIn === undefined ? field : `${embeddedIn}.${field}`
    return problemOf(member, fieldType, { owner: name, path: `${path}.${ownPath}` })
  })
}

function firstOf<Item>(items: readonly Item[], find: (item: Item) => string | undefined) {
  for (const item of items) {
    const problem = find(item)
    if (problem !== undefined) return problem
  }
  return undefined
}
