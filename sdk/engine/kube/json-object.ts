/** A JSON object, with any members. */
export type JsonObject = Readonly<Record<string, unknown>>

/** A JSON object or list, whose members may be changed. */
export type JsonContainer = Record<string, unknown> | unknown[]

/** Whether a value is a JSON object: not a list, not `null`. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether a value is a JSON object or a list. */
export function isContainer(value: unknown): value is JsonContainer {
  return typeof value === 'object' && value !== null
}

/** A member of an object, or an item of a list by its index; never an inherited member such as `toString`. */
export function memberOf(value: unknown, name: string | number): unknown {
  if (!isContainer(value) || (Array.isArray(value) && typeof name === 'string')) return undefined
  return ownMember(value, name)
}

/** The value at a path of members and items; undefined if there is none. */
export function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(memberOf, value)
}

/** An own member of an object, or an item or the `length` of a list; never an inherited member. */
export function ownMember(container: object, name: string | number): unknown {
  return Object.hasOwn(container, name) ? (container as Record<string | number, unknown>)[name] : undefined
}

/** Sets a member or an item. An assignment to `__proto__` would set the prototype instead. */
export function setMember(container: object, name: string | number, value: unknown): void {
  if (name !== '__proto__') (container as Record<string | number, unknown>)[name] = value
  else Object.defineProperty(container, name, { value, enumerable: true, configurable: true, writable: true })
}
