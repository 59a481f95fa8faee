import { stringifyJson } from './json.js'

/**
 * Writes a JSON value with sorted members: two values that are the same JSON have the same text, so that the text can
 * be hashed. Deep values and large integers are written as {@link stringifyJson} does.
 */
export function canonicalJson(value: unknown): string {
  return stringifyJson(withSortedMembers(value))
}

type Members = Record<string | number, unknown>

/** Sorts the members at every depth, without recursion because values may be deeper than the call stack. */
function withSortedMembers(value: unknown): unknown {
  const root: Members = [value] as unknown as Members
  const unfinished: Members[] = [root]
  for (let container = unfinished.pop(); container !== undefined; container = unfinished.pop()) {
    for (const name of Object.keys(container)) {
      const member = container[name]
      if (typeof member !== 'object' || member === null) continue
      const copy = sortedCopy(member) as Members
      // The container has this member already, so even `__proto__` is set as a member.
      container[name] = copy
      unfinished.push(copy)
    }
  }
  return root[0]
}

function sortedCopy(container: object): object {
  if (Array.isArray(container)) return container.slice()
  return Object.fromEntries(Object.entries(container).sort(([a], [b]) => (a < b ? -1 : 1)))
}
