import type { JsonSchema } from '../schema/json-schema.js'
import type { RuledVersions } from './rule-problems.js'
import { scopesOf } from './rule-scopes.js'

/** A rule that tools do not check. */
export interface UncheckedRule {
  readonly rule: string
  readonly reason: string
}

/** The rules of a kind that have a reason not to be checked. */
export function uncheckedRules({ schemas }: RuledVersions): UncheckedRule[] {
  const allRules = schemas.flatMap(({ schema }) =>
    scopesOf({ path: '', schema, count: 1 }).flatMap(uncheckedIn),
  )
  return [...new Map(allRules.map((one) => [one.rule, one])).values()]
}

function uncheckedIn({ schema }: { readonly schema: JsonSchema }): UncheckedRule[] {
  return (schema['x-kubernetes-validations'] ?? []).flatMap(({ rule, unchecked }) =>
    unchecked === undefined ? [] : [{ rule, reason: unchecked }],
  )
}
