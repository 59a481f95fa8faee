import { cloneJson } from '../../engine/kube/json.js'
import { isJsonObject, memberOf, setMember } from '../../engine/kube/json-object.js'
import type { JsonObject } from './json-object.js'

/**
 * The values that a chart sees: the values of the user, and defaults for everything that the user does not set. Maps
 * are merged, everything else is replaced, and `null` removes a default, as in Helm. Neither argument changes.
 */
export function coalesceValues(values: JsonObject, defaults: JsonObject): JsonObject {
  return coalesceLevel(values, defaults, true)
}

function coalesceLevel(values: JsonObject, defaults: JsonObject, isTop: boolean): JsonObject {
  const result: JsonObject = {}
  for (const [key, value] of Object.entries(values)) {
    const base = memberOf(defaults, key)
    // Helm keeps a null that removes nothing, and at the top also removes one for which the default is null.
    const removes = value === null && base !== undefined && (isTop || base !== null)
    if (removes || value === undefined) continue
    setMember(result, key, mergeValue(value, base))
  }
  for (const [key, base] of Object.entries(defaults)) {
    if (memberOf(values, key) === undefined) setMember(result, key, cloneJson(base))
  }
  return result
}

/** Merges two maps; any other value replaces the default. */
function mergeValue(value: unknown, base: unknown): unknown {
  if (isJsonObject(value) && isJsonObject(base)) return coalesceLevel(value, base, false)
  return cloneJson(value)
}
