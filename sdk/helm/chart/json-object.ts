/** A JSON object. */
export type JsonObject = Record<string, unknown>

/** Whether a JSON value is an object, which Helm calls a table. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
