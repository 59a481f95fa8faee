import { isJsonObject } from '../../sdk/engine/kube/json-object.js'

/** The maximum nesting, deeper than any type. */
const maxDepth = 100

/** A copy with the members of all objects in the order in which Go writes a map. */
export function withSortedMembers(value: unknown, depth = 0): unknown {
  if (depth > maxDepth) return value
  if (Array.isArray(value)) return value.map((each) => withSortedMembers(each, depth + 1))
  if (!isJsonObject(value)) return value
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(members.map(([name, member]) => [name, withSortedMembers(member, depth + 1)]))
}
