import { type OpenObject, recordOf } from '../../base/object.js'
import { type FieldError, invalidValue } from '../../validation/field-error.js'
import { checkNotNegative } from '../../validation/values.js'

/** Which numbers of a status are not negative, and which are no more than all replicas. */
export interface StatusChecks {
  readonly counts: readonly string[]
  /** None by default. */
  readonly parts?: readonly string[]
  /** What the available ones are said to be too many for; left out, that is not asked. */
  readonly ready?: string
}

/** What is wrong with the numbers in a status. */
export function countErrors(
  { status }: OpenObject,
  { counts, parts = [], ready }: StatusChecks,
): FieldError[] {
  const numbers = recordOf(status)
  const of = (name: string) => Number(numbers[name] ?? 0)
  const tooMany = (name: string, most: string, why: string) =>
    of(name) > of(most) ? [invalidValue(`status.${name}`, of(name), `cannot be greater than ${why}`)] : []
  return [
    ...counts.flatMap((name) => checkNotNegative(`status.${name}`, of(name))),
    ...parts.flatMap((name) => tooMany(name, 'replicas', 'status.replicas')),
    ...(ready === undefined ? [] : tooMany('availableReplicas', 'readyReplicas', ready)),
  ]
}
