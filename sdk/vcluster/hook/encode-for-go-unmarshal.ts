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
  return isJsonObject(before) && isJsonObject(after) ? writeChanges(before, after) : stringifyJson(after)
}

/** Writes an object whose Go struct holds `before`: first the removed members, then the others. */
function writeChanges(before: JsonObject, after: JsonObject): string {
  const members = [
    ...removedNames(before, after).flatMap((name) => clearMember(name, before[name])),
    ...Object.keys(after).flatMap((name) => writeMember(name, before, after)),
  ]
  return `{${members.join(',')}}`
}

const removedNames = (before: JsonObject, after: JsonObject) =>
  Object.keys(before).filter((name) => !Object.hasOwn(after, name) || after[name] === undefined)

/** Writes one member of the new object; none if it is undefined. A member may have to be emptied first. */
function writeMember(name: string, before: JsonObject, after: JsonObject): string[] {
  const value = after[name]
  const oldValue = Object.hasOwn(before, name) ? before[name] : undefined
  if (value === undefined) return []
  if (oldValue === undefined || oldValue === null || jsonEqual(oldValue, value))
    return [member(name, stringifyJson(value))]
  if (isJsonObject(oldValue) && isJsonObject(value)) return writeObject(name, oldValue, value)
  if (isScalar(oldValue) && isScalar(value)) return [member(name, stringifyJson(value))]
  return [...clearMember(name, oldValue), member(name, stringifyJson(value))]
}

/**
 * Writes a changed object. An object that only gains and changes members is merged. To remove a member from a map, the
 * whole map must be emptied.
 */
function writeObject(name: string, before: JsonObject, after: JsonObject): string[] {
  // Both ways write the children, so only one may be taken: the work would double at each level.
  if (removedNames(before, after).length === 0) return [member(name, writeChanges(before, after))]
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
function clearMember(name: string, oldValue: unknown): string[] {
  if (oldValue === undefined || oldValue === null) return []
  const nullMember = member(name, 'null')
  if (Array.isArray(oldValue) || quantities.has(name)) return [nullMember]
  if (isJsonObject(oldValue)) return [member(name, emptyObject(oldValue)), nullMember]
  return typeof oldValue === 'string' && isTime(oldValue)
    ? [nullMember]
    : [member(name, zeroValueOf(oldValue)), nullMember]
}

/** Writes an object with each of its old members emptied. */
function emptyObject(oldValue: JsonObject): string {
  return `{${Object.keys(oldValue)
    .flatMap((name) => clearMember(name, oldValue[name]))
    .join(',')}}`
}

/** Go's zero value of a scalar as JSON. */
function zeroValueOf(oldValue: unknown): string {
  if (typeof oldValue === 'boolean') return 'false'
  return typeof oldValue === 'string' ? '""' : '0'
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
