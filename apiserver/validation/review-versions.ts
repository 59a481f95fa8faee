import { type FieldError, invalidValue, required } from './field-error.js'
import { checkRfc1035Label } from './names.js'
import { repeatedIndexes } from './repeated.js'

/** The versions of reviews that a server sends to webhooks. */
export const reviewVersions: readonly string[] = ['v1', 'v1beta1']

/** The version in which a server sends reviews to a webhook: the first that it knows; undefined if it knows none. */
export function sentReviewVersion(versions: unknown): string | undefined {
  const accepted = Array.isArray(versions) ? versions.map(String) : []
  return accepted.find((version) => reviewVersions.includes(version))
}

/** How the versions of a webhook are checked. */
export interface ReviewVersionRules {
  /** The detail of the error for no version; default none. */
  readonly ifNone?: string
  /** Whether one of them must be a known version; default true. */
  readonly needsKnown?: boolean
}

/** The errors of the versions of reviews that a webhook reads. */
export function reviewVersionErrors(
  path: string,
  versions: unknown,
  { ifNone = '', needsKnown = true }: ReviewVersionRules = {},
): FieldError[] {
  const given = Array.isArray(versions) ? versions.map(String) : []
  if (given.length === 0) return [required(path, ifNone)]
  const repeated = repeatedIndexes(given)
  const errors = given.flatMap((version, index) => {
    if (repeated.has(index)) return [invalidValue(`${path}[${index}]`, version, 'duplicate version')]
    const problem = checkRfc1035Label(version)
    return problem === undefined ? [] : [invalidValue(`${path}[${index}]`, version, problem)]
  })
  if (!needsKnown || given.some((version) => reviewVersions.includes(version))) return errors
  return [...errors, invalidValue(path, given, `must include at least one of ${reviewVersions.join(', ')}`)]
}
