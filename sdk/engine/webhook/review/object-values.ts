import type { JsonObject } from '../../kube/json-object.js'
import { ReviewError } from './review-error.js'

/**
 * The maximum number of values of an object that is admitted, because hooks look at each value on the event loop that
 * also renews the Lease.
 */
export const maxObjectValues = 100_000

/** Throws {@link ReviewError} for an object with too many values, those inside others included. */
export function checkValues(object: JsonObject): void {
  const waiting: unknown[] = [object]
  let count = 1
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value !== 'object' || value === null) continue
    const inner: unknown[] = Array.isArray(value) ? value : Object.values(value)
    count += inner.length
    if (count > maxObjectValues) {
      throw new ReviewError(
        413,
        `the object has more than ${maxObjectValues} values; store less in one object`,
      )
    }
    for (const one of inner) waiting.push(one)
  }
}
