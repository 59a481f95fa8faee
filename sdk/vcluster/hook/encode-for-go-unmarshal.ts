import { jsonEqual, stringifyJson } from '../../engine/kube/json.js'
import { isJsonObject, type JsonObject } from '../../engine/kube/json-object.js'

/**
 * Writes the JSON text that turns `before` into `after` when Go's decoder reads it into a struct that holds `before`.
 * vcluster reads a hook's answer in this way (`json.Unmarshal` into the existing object). That decoder keeps members
 * that the text does not contain, merges maps, and overwrites lists element by element. So members that differ are
 * written several times; for every other reader, the last one counts:
 *
 * * a list: first `null`, which empties it, then the new list;
 * * an object that has lost a member: first with its old members emptied one by one, for a struct, on which `null` has
 *   no effect; then `null`, for a map or a pointer; then the new object, written by these rules again;
 * * a removed member: its zero value, then `null`. Times and quantities have no zero value that is text; `null` empties
 *   them. Times are recognised by their text, quantities by their names in Kubernetes' own kinds.
 *
 * See https://pkg.go.dev/encoding/json#Unmarshal and, for why, `pkg/util/pluginhookclient/client.go` @ vcluster
 * v0.36.1.
 */
export function encodeForGoUnmarshal(before: unknown, after: unknown): string {
  return isJsonObject(before) && isJsonObject(after) ? changedObject(before, after) : stringifyJson(after)
}

function changedObject(before: JsonObject, after: JsonObject): string {
  const members = [
    ...removedNames(before, after).flatMap((name) => clearMember(name, before[name])),
    ...Object.keys(after).flatMap((name) => writeMember(name, before, after)),
  ]
  return `{${members.join(',')}}`
}

const removedNames = (before: JsonObject, after: JsonObject) =>
  Object.keys(before).filter((name) => !Object.hasOwn(after, name) || after[name] === undefined)

function writeMember(name: string, before: JsonObject, after: JsonObject): string[] {
  const value = after[name]
  const old = Object.hasOwn(before, name) ? before[name] : undefined
  if (value === undefined) return []
  if (old === undefined || old === null || jsonEqual(old, value)) return [member(name, stringifyJson(value))]
  if (isJsonObject(old) && isJsonObject(value)) return writeObject(name, old, value)
  if (isScalar(old) && isScalar(value)) return [member(name, stringifyJson(value))]
  return [...clearMember(name, old), member(name, stringifyJson(value))]
}

/**
 * Writes a changed object. An object that only gains and changes members is merged. To remove a member from a map, the
 * whole map must be emptied.
 */
function writeObject(name: string, before: JsonObject, after: JsonObject): string[] {
  const changed = member(name, changedObject(before, after))
  if (removedNames(before, after).length === 0) return [changed]
  return [...clearMember(name, before), member(name, rewriteObject(before, after))]
}

/**
 * Writes the whole new object, after the old one was emptied: lists and objects in a struct may still hold something.
 */
function rewriteObject(before: JsonObject, after: JsonObject): string {
  const members = Object.keys(after).flatMap((name) => writeMember(name, before, after))
  return `{${members.join(',')}}`
}

/** Empties a member, for each Go type that may hold it. */
function clearMember(name: string, old: unknown): string[] {
  if (old === undefined || old === null) return []
  const none = member(name, 'null')
  if (Array.isArray(old) || quantities.has(name)) return [none]
  if (isJsonObject(old)) return [member(name, emptyObject(old)), none]
  return typeof old === 'string' && isTime(old) ? [none] : [member(name, zeroOf(old)), none]
}

function emptyObject(old: JsonObject): string {
  return `{${Object.keys(old)
    .flatMap((name) => clearMember(name, old[name]))
    .join(',')}}`
}

/** Go's zero value of a scalar as JSON. */
function zeroOf(old: unknown): string {
  if (typeof old === 'boolean') return 'false'
  return typeof old === 'string' ? '""' : '0'
}

const isTime = (text: string) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text)

/** Members that are quantities, or maps of them (`resource.Quantity` and `ResourceList` in k8s.io/api/core/v1). */
const quantities = new Set([
  ...[
    'divisor',
    'sizeLimit',
    'averageValue',
    'limits',
    'requests',
    'capacity',
    'allocatable',
    'allocatedResources',
  ],
  ...['overhead', 'hard', 'used', 'default', 'defaultRequest', 'maxLimitRequestRatio'],
])

const member = (name: string, json: string) => `${stringifyJson(name)}:${json}`

const isScalar = (value: unknown) => typeof value !== 'object'
