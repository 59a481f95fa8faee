/** The members that lead to a field: `['spec', 'ports']`. */
export type FieldPath = readonly [string, ...string[]]

/** The value at a path; `undefined` if there is none. */
export function fieldAt(object: object, [name, ...rest]: FieldPath): unknown {
  const value = new Map<string, unknown>(Object.entries(object)).get(name)
  const [next, ...further] = rest
  return next === undefined ? value : fieldAt(Object(value), [next, ...further])
}

/** A copy of the object with another value at the path. The field is removed if the value is `undefined`. */
export function withField<T extends object>(object: T, [name, ...rest]: FieldPath, value: unknown): T {
  const members = new Map<string, unknown>(Object.entries(object))
  const [next, ...further] = rest
  const member = next === undefined ? value : withField(Object(members.get(name)), [next, ...further], value)
  if (member === undefined) members.delete(name)
  else members.set(name, member)
  return Object.fromEntries(members) as T
}

/** A copy of the object with each of these fields as the other object has it. */
export function withFieldsOf<T extends object>(object: T, from: object, paths: readonly FieldPath[]): T {
  return paths.reduce((copy, path) => withField(copy, path, fieldAt(from, path)), object)
}
