// Members of JSON objects. The same functions of lodash are made of 150 modules, which a start of the server would
// load.

type Members = Readonly<Record<string, unknown>>

/** The members with these names. */
export function onlyMembers(object: Members, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([name]) => names.includes(name)))
}

/** The members with other names. */
export function withoutMembers(object: Members, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)))
}
