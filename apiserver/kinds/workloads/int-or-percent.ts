import { type FieldError, invalidValue } from '../../validation/field-error.js'
import { checkNotNegative } from '../../validation/values.js'

/** A number of pods, or a percentage of them such as `25%`; an `IntOrString` in Kubernetes. */
export type IntOrPercent = number | string

const invalidPercent =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')"

/** Checks that a value is a non-negative number or a percentage; `ValidatePositiveIntOrPercent`. */
export function checkIntOrPercent(field: string, value: IntOrPercent): FieldError[] {
  if (typeof value === 'number') return checkNotNegative(field, value)
  return /^\d+%$/.test(value) ? [] : [invalidValue(field, value, invalidPercent)]
}

/** Checks that a percentage is at most 100; `IsNotMoreThan100Percent`. */
export function checkAtMost100Percent(field: string, value: IntOrPercent): FieldError[] {
  const isTooMuch = typeof value === 'string' && numberOf(value) > 100
  return isTooMuch ? [invalidValue(field, value, 'must not be greater than 100%')] : []
}

/** The number without `%`, for example 25 for 25 and for `25%`. */
export function numberOf(value: IntOrPercent): number {
  return typeof value === 'number' ? value : Number(/^(\d+)%$/.exec(value)?.[1] ?? 0)
}

/** The limits of a rolling update with the field names of Go, as they appear in error messages. */
export function rollingUpdateInGo(
  rollingUpdate: { readonly maxUnavailable?: IntOrPercent; readonly maxSurge?: IntOrPercent } | undefined,
): object | null {
  if (rollingUpdate === undefined) return null
  return { MaxUnavailable: rollingUpdate.maxUnavailable ?? 0, MaxSurge: rollingUpdate.maxSurge ?? 0 }
}
