/** A JSON object, with any members. */
export type JsonObject = Readonly<Record<string, unknown>>

/** Whether a value is a JSON object: not a list, not `null`. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A member of its own, never one that every JavaScript object has. */
export function memberOf(object: unknown, name: string): unknown {
  return isJsonObject(object) && Object.hasOwn(object, name) ? object[name] : undefined
}
