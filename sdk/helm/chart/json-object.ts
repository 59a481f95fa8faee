/** A JSON object, which Helm calls a table. */
export type JsonObject = Record<string, unknown>
