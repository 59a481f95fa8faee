import { jsonEqual } from '../../../kube/json.js'
import { isJsonObject, type JsonObject, memberOf } from '../../../kube/json-object.js'

/** One field in which two values differ. An absent value means that the field is absent. */
export interface Difference {
  /** The names of the members down to the field. */
  readonly path: readonly string[]
  readonly was?: unknown
  readonly value?: unknown
}

/** The fields to change in `from` to get `to`. Lists are compared as a whole, because their items may have moved. */
export function differences(from: unknown, to: unknown, path: readonly string[] = []): Difference[] {
  if (jsonEqual(from, to)) return []
  if (!isJsonObject(from) || !isJsonObject(to))
    return [{ path, ...(from !== undefined && { was: from }), ...(to !== undefined && { value: to }) }]
  const names = new Set([...Object.keys(from), ...Object.keys(to)])
  return [...names]
    .sort()
    .flatMap((name) => differences(memberOf(from, name), memberOf(to, name), [...path, name]))
}

/** Makes the changes whose field still has the value that it had; a field that was edited since keeps the edit. */
export function applyDifferences(value: JsonObject, changes: readonly Difference[]): JsonObject {
  return changes.reduce((changed, change) => applyOne(changed, change, change.path), value)
}

function applyOne(node: JsonObject, change: Difference, path: readonly string[]): JsonObject {
  const [name, ...rest] = path
  if (name === undefined) return node
  const member = memberOf(node, name)
  if (rest.length > 0)
    return isJsonObject(member) ? withMember(node, name, applyOne(member, change, rest)) : node
  return jsonEqual(member, change.was) ? withMember(node, name, change.value) : node
}

/** Through entries, because an assignment to `__proto__` would not add a member. */
function withMember(node: JsonObject, name: string, value: unknown): JsonObject {
  const others = Object.entries(node).filter(([other]) => other !== name)
  return Object.fromEntries(value === undefined ? others : [...others, [name, value]])
}
