import { jsonEqual } from '../../../engine/kube/json.js'
import { isJsonObject, type JsonObject } from '../../../engine/kube/json-object.js'
import { differences } from '../../../engine/kube/json-patch/differences.js'

/** One field in which two values differ. An absent value means that the field is absent. */
export interface ChangedField {
  /** The names of the members down to the field. */
  readonly path: readonly string[]
  readonly was?: unknown
  readonly value?: unknown
}

/**
 * The fields to change in `from` to get `to`, in the order of their names. Lists are compared as a whole, because their
 * items may have moved.
 */
export function fieldChanges(from: unknown, to: unknown): ChangedField[] {
  return differences(from, to)
    .map(({ path, ...values }) => ({ path: path.map(String), ...values }))
    .sort((a, b) => comparePaths(a.path, b.path))
}

function comparePaths(a: readonly string[], b: readonly string[]): number {
  const firstDifference = a.findIndex((name, index) => name !== b[index])
  return (a[firstDifference] ?? '') < (b[firstDifference] ?? '') ? -1 : 1
}

/** Whether two values are equal. An object without members is the same as none: all may be of another version. */
export const isSame = (one: unknown = {}, other: unknown = {}): boolean => jsonEqual(one, other)

/** A change, and how many names of its path lead to the current node. */
interface PendingChange {
  readonly change: ChangedField
  readonly depth: number
}

/**
 * Makes the changes whose field still has the value that it had; a field that was edited since keeps the edit. Users
 * can write the changes, so each object is copied once, however many there are.
 */
export function applyFieldChanges(value: JsonObject, changes: readonly ChangedField[]): JsonObject {
  return applyPending(
    value,
    changes.filter(({ path }) => path.length > 0).map((change) => ({ change, depth: 0 })),
  )
}

function applyPending(node: JsonObject, pending: readonly PendingChange[]): JsonObject {
  const members = new Map(Object.entries(node))
  for (const [name, ofMember] of groupByMember(pending)) {
    const member = applyToMember(members.get(name), ofMember)
    if (member === undefined) members.delete(name)
    else members.set(name, member)
  }
  // Not by assignments: that to `__proto__` would not add a member.
  return Object.fromEntries(members)
}

function groupByMember(pending: readonly PendingChange[]): Map<string, PendingChange[]> {
  const byMember = new Map<string, PendingChange[]>()
  for (const pendingChange of pending) {
    const name = pendingChange.change.path[pendingChange.depth] ?? ''
    const ofMember = byMember.get(name)
    if (ofMember) ofMember.push(pendingChange)
    else byMember.set(name, [pendingChange])
  }
  return byMember
}

/** Applies the change of the member itself, or else the changes below it. */
function applyToMember(member: unknown, pending: readonly PendingChange[]): unknown {
  const ownChange = pending.find(({ change: { path }, depth }) => depth === path.length - 1)
  if (ownChange) return jsonEqual(member, ownChange.change.was) ? ownChange.change.value : member
  if (!isJsonObject(member)) return member
  return applyPending(
    member,
    pending.map(({ change, depth }) => ({ change, depth: depth + 1 })),
  )
}
