/**
 * Lets two objects share an equal part in memory if the part cannot change: a copy shares the content of its original.
 */

import { isContainer, type JsonContainer, type JsonObject, ownMember } from './json-object.js'

/**
 * The top-level member of `from` that an object may share in place of its own `value`: a member that is deeply frozen
 * and equal except for the order of members. `undefined` if `from` has no such member, and for `metadata`.
 */
export function frozenPart(from: object, name: string, value: unknown): object | undefined {
  if (name === 'metadata' || !isContainer(value)) return undefined
  const part = ownMember(from, name)
  return isContainer(part) && isFrozenTwin(part, value) ? part : undefined
}

/** Makes an object that is not frozen share its equal parts with a frozen one; see {@link frozenPart}. */
export function shareFrozenParts(from: object, object: object): void {
  if (Object.isFrozen(object)) return
  const members: Record<string, unknown> = object as Record<string, unknown>
  for (const name of Object.keys(members)) {
    const part = frozenPart(from, name, members[name])
    if (part) members[name] = part
  }
}

/** Whether a value is deeply frozen, and another one equal to it. */
function isFrozenTwin(frozen: JsonContainer, value: unknown): boolean {
  const pairs: unknown[] = [frozen, value]
  while (pairs.length > 0) {
    const right = pairs.pop()
    const left = pairs.pop()
    if (isContainer(left) && isContainer(right)) {
      if (!Object.isFrozen(left) || !pushMembers(pairs, left, right)) return false
    } else if (left !== right) return false
  }
  return true
}

/** Queues the members of two containers for comparison; `false` where their names differ. */
function pushMembers(pairs: unknown[], left: JsonContainer, right: JsonContainer): boolean {
  const names = Object.keys(left)
  if (Array.isArray(left) !== Array.isArray(right) || names.length !== Object.keys(right).length) return false
  for (const name of names) {
    if (!Object.hasOwn(right, name)) return false
    pairs.push((left as JsonObject)[name], (right as JsonObject)[name])
  }
  return true
}
