import { type OpenObject, recordOf } from '../../base/object.js'
import { type FieldError, invalidValue } from '../../validation/field-error.js'
import { checkNotNegative } from '../../validation/values.js'

/** The fields of a status that must not be negative, and those that must not exceed the replicas. */
export interface StatusChecks {
  readonly counts: readonly string[]
  /** The fields that must not exceed the replicas; default none. */
  readonly parts?: readonly string[]
  /** The name of the ready replicas in the error about available ones; undefined to skip the check. */
  readonly ready?: string
}

/** The errors of the numbers in a status. */
export function countErrors(
  { status }: OpenObject,
  { counts, parts: partCounts = [], ready }: StatusChecks,
): FieldError[] {
  const numbers = recordOf(status)
  const of = (name: string) => Number(numbers[name] ?? 0)
  const tooMany = (name: string, maxName: string, why: string) =>
    of(name) > of(maxName) ? [invalidValue(`status.${name}`, of(name), `cannot be greater than ${why}`)] : []
  return [
    ...counts.flatMap((name) => checkNotNegative(`status.${name}`, of(name))),
    ...partCounts.flatMap((name) => tooMany(name, 'replicas', 'status.replicas')),
    ...(ready === undefined ? [] : tooMany('availableReplicas', 'readyReplicas', ready)),
  ]
}
