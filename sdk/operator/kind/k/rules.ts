import type { z } from 'zod'
import { extend } from '../schema/extension.js'
import type { CelRule } from '../schema/json-schema.js'

/** Options of `k.rule`. */
export type RuleOptions = Omit<CelRule, 'rule'>

/**
 * Adds a CEL rule, which the API server evaluates: `self` is the value, `oldSelf` its former value. zod does not
 * evaluate it. Lists, maps and texts that a rule iterates over need a limit. In a list, only the elements of a
 * `k.listMap` have an `oldSelf`.
 *
 * @example
 * ```ts
 * const spec = k.rule(z.object({ min: z.int(), max: z.int() }), 'self.min <= self.max', {
 *   message: 'min must not be above max',
 * })
 * ```
 */
export function rule<T extends z.ZodType>(schema: T, expression: string, options: RuleOptions = {}): T {
  return extend(schema, { rules: [{ rule: expression, ...options }] })
}

/**
 * A value that cannot change once it is set. An optional field can still be removed and set again: make it required, or
 * put a rule on the object around it. In a list, only the elements of a `k.listMap` can have such values.
 *
 * @example
 * ```ts
 * const spec = z.object({ region: k.immutable(z.string()) })
 * ```
 */
export function immutable<T extends z.ZodType>(schema: T): T {
  return rule(schema, 'self == oldSelf', { message: 'field is immutable' })
}
