/** Checks the answers of `default` and `validate`: a program that runs without a type check can return anything. */
import { jsonEqual } from '../../../engine/kube/json.js'
import { isJsonObject, type JsonObject, memberOf } from '../../../engine/kube/json-object.js'
import { formatResource, type Resource } from '../../../engine/kube/resource.js'
import { ReviewError } from '../../../engine/webhook/review/review-error.js'

/** The fields that `default` may not change. */
const fixedFields = [
  ['apiVersion'],
  ['kind'],
  ['status'],
  ['metadata', 'name'],
  ['metadata', 'namespace'],
  ['metadata', 'uid'],
] as const

/** Throws {@link ReviewError} unless `default` returned the object, with the same status and identity. */
export function checkDefaulted(
  resource: Resource,
  raw: JsonObject,
  filled: unknown,
): asserts filled is JsonObject {
  const subject = `default of ${formatResource(resource)}`
  if (!isJsonObject(filled) || filled instanceof Promise)
    throw returnedError(subject, filled, 'return the object that it was given, with the defaults')
  for (const path of fixedFields) {
    const [before, after] = [raw, filled].map((object) => path.reduce(memberOf, object as unknown))
    if (!jsonEqual(before, after))
      throw new ReviewError(
        500,
        `${subject} changed ${path.join('.')}; return the object with the one that it had`,
      )
  }
}

/** Throws {@link ReviewError} unless `validate` returned a list. */
export function checkProblems(resource: Resource, problems: unknown): void {
  if (Array.isArray(problems)) return
  const subject = `validate of ${formatResource(resource)}`
  throw returnedError(subject, problems, 'return a list of problems, which is empty if there are none')
}

function returnedError(subject: string, value: unknown, cure: string): ReviewError {
  if (value instanceof Promise)
    return new ReviewError(
      500,
      `${subject} returned a promise; make it a function without async, and ${cure}`,
    )
  return new ReviewError(500, `${subject} returned ${typeOf(value)}; ${cure}`)
}

/** The type of a value. The value itself may be the content of an object, which is not logged. */
function typeOf(value: unknown): string {
  if (value === undefined || value === null) return String(value)
  return Array.isArray(value) ? 'a list' : `a value of the type ${typeof value}`
}
