import { stringifyJson } from './json.js'

/**
 * A JSON value as one text, whatever the order its members came in: two values that are the same JSON have the same
 * text, so it can be digested. Deep values and large integers are written as {@link stringifyJson} does.
 */
export function canonicalJson(value: unknown): string {
  return stringifyJson(sorted(value))
}

type Members = Record<string | number, unknown>

/** Without recursion, because values may be deeper than the call stack. */
function sorted(value: unknown): unknown {
  const root: Members = [value] as unknown as Members
  const unfinished: Members[] = [root]
  for (let container = unfinished.pop(); container !== undefined; container = unfinished.pop()) {
    for (const name of Object.keys(container)) {
      const member = container[name]
      if (typeof member !== 'object' || member === null) continue
      const copy = sortedCopy(member) as Members
      // It has this member already, so that even `__proto__` is set as a member.
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
