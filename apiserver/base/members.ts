// Members of JSON objects. The same functions of lodash are made of 150 modules, which a start of the server would
// load.

type Members = Readonly<Record<string, unknown>>

/** A copy with only the members that have one of these names. */
export function onlyMembers(object: Members, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([name]) => names.includes(name)))
}

/** A copy without the members that have one of these names. */
export function withoutMembers(object: Members, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)))
}
