import { type FieldError, invalidValue } from '../../validation/field-error.js'
import { checkNotNegative } from '../../validation/values.js'

/** A number of pods, or a percentage of them. */
export type Share = number | string

const SHAPE =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')"

/**
 * An error for a value that is neither a non-negative number nor a percentage;
 * `ValidatePositiveIntOrPercent`.
 */
export function shareErrors(field: string, share: Share): FieldError[] {
  if (typeof share === 'number') return checkNotNegative(field, share)
  return /^\d+%$/.test(share) ? [] : [invalidValue(field, share, SHAPE)]
}

/** The number, or the number of the percentage. */
export function amountOf(share: Share): number {
  return typeof share === 'number' ? share : Number(/^(\d+)%$/.exec(share)?.[1] ?? 0)
}

/** An error for more than 100%; `IsNotMoreThan100Percent`. */
export function wholeErrors(field: string, share: Share): FieldError[] {
  const isTooMuch = typeof share === 'string' && amountOf(share) > 100
  return isTooMuch ? [invalidValue(field, share, 'must not be greater than 100%')] : []
}

/** The rolling update limits in the format of Go's own type. */
export function shownRolling(
  rolling: { readonly maxUnavailable?: Share; readonly maxSurge?: Share } | undefined,
): object | null {
  if (rolling === undefined) return null
  return { MaxUnavailable: rolling.maxUnavailable ?? 0, MaxSurge: rolling.maxSurge ?? 0 }
}
