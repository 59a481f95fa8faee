import { jsonEqual } from '../../../engine/kube/json.js'
import { isJsonObject, type JsonObject, memberOf } from '../../../engine/kube/json-object.js'

/** One field in which two values differ. An absent value means that the field is absent. */
export interface Difference {
  /** The names of the members down to the field. */
  readonly path: readonly string[]
  readonly was?: unknown
  readonly value?: unknown
}

/** The names that lead to a value, from the inside: a list would be copied for each member. */
interface Steps {
  readonly name: string
  readonly above: Steps | undefined
}

/** The fields to change in `from` to get `to`. Lists are compared as a whole, because their items may have moved. */
export function differences(from: unknown, to: unknown, steps?: Steps): Difference[] {
  if (isJsonObject(from) && isJsonObject(to)) {
    const names = new Set([...Object.keys(from), ...Object.keys(to)])
    return [...names]
      .sort()
      .flatMap((name) => differences(memberOf(from, name), memberOf(to, name), { name, above: steps }))
  }
  if (jsonEqual(from, to)) return []
  const path = pathOf(steps)
  return [{ path, ...(from !== undefined && { was: from }), ...(to !== undefined && { value: to }) }]
}

function pathOf(steps: Steps | undefined): string[] {
  const path: string[] = []
  for (let step = steps; step; step = step.above) path.push(step.name)
  return path.reverse()
}

/** A change, and the names of its path from the node at hand. */
interface Pending {
  readonly change: Difference
  readonly at: number
}

/**
 * Makes the changes whose field still has the value that it had; a field that was edited since keeps the edit. Users
 * can write the changes, so each object is copied once, however many there are.
 */
export function applyDifferences(value: JsonObject, changes: readonly Difference[]): JsonObject {
  return changedBy(
    value,
    changes.filter(({ path }) => path.length > 0).map((change) => ({ change, at: 0 })),
  )
}

function changedBy(node: JsonObject, pending: readonly Pending[]): JsonObject {
  const members = new Map(Object.entries(node))
  for (const [name, ofMember] of byMember(pending)) {
    const member = changedMember(members.get(name), ofMember)
    if (member === undefined) members.delete(name)
    else members.set(name, member)
  }
  // Not by assignments: that to `__proto__` would not add a member.
  return Object.fromEntries(members)
}

function byMember(pending: readonly Pending[]): Map<string, Pending[]> {
  const found = new Map<string, Pending[]>()
  for (const one of pending) {
    const name = one.change.path[one.at] ?? ''
    const ofMember = found.get(name)
    if (ofMember) ofMember.push(one)
    else found.set(name, [one])
  }
  return found
}

/** One change of the member itself counts, and else those below it. */
function changedMember(member: unknown, pending: readonly Pending[]): unknown {
  const own = pending.find(({ change: { path }, at }) => at === path.length - 1)
  if (own) return jsonEqual(member, own.change.was) ? own.change.value : member
  if (!isJsonObject(member)) return member
  return changedBy(
    member,
    pending.map(({ change, at }) => ({ change, at: at + 1 })),
  )
}
