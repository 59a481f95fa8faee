import { isJsonObject } from '../../engine/kube/json-object.js'
import type { JsonObject } from '../../helm/chart/json-object.js'

/**
 * Merges the second values into the first. Maps are merged, everything else is replaced, as helm merges values files.
 */
export function mergeValues(first: JsonObject, second: JsonObject): JsonObject {
  const merged = new Map(Object.entries(first))
  for (const [key, value] of Object.entries(second)) {
    const before = merged.get(key)
    merged.set(key, isJsonObject(before) && isJsonObject(value) ? mergeValues(before, value) : value)
  }
  return Object.fromEntries(merged)
}
