/**
 * Two objects that have an equal part need it only once in memory, if nobody can change it: a copy shares the content of its
 * original.
 */

type Container = object & { readonly [member: string]: unknown }

/**
 * The parts of an object that another one may share: the top-level members of `from` that are deeply frozen and equal to those of
 * `object`, to the last detail but the order of members. Never `metadata`.
 */
export function frozenParts(from: object, object: object): [name: string, part: object][] {
  const parts: [string, object][] = []
  for (const name of Object.keys(object)) {
    if (name === 'metadata') continue
    const part = memberOf(from, name)
    if (isContainer(part) && isFrozenTwin(part, memberOf(object, name))) parts.push([name, part])
  }
  return parts
}

/** Makes an object that is not frozen share its equal parts with a frozen one; see {@link frozenParts}. */
export function shareFrozenParts(from: object, object: object): void {
  if (Object.isFrozen(object)) return
  for (const [name, part] of frozenParts(from, object)) (object as Record<string, unknown>)[name] = part
}

/** Whether a value is deeply frozen, and another one equal to it. */
function isFrozenTwin(frozen: Container, value: unknown): boolean {
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
function pushMembers(pairs: unknown[], left: Container, right: Container): boolean {
  const names = Object.keys(left)
  if (Array.isArray(left) !== Array.isArray(right) || names.length !== Object.keys(right).length) return false
  for (const name of names) {
    if (!Object.hasOwn(right, name)) return false
    pairs.push(left[name], right[name])
  }
  return true
}

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null
}

function memberOf(object: object, name: string): unknown {
  return Object.hasOwn(object, name) ? (object as Container)[name] : undefined
}
