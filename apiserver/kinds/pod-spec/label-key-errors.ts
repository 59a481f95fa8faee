import { type FieldError, forbiddenValue, invalidValue } from '../../validation/field-error.js'
import { checkQualified } from '../../validation/values.js'
import type { LabelSelector } from '../selector-errors.js'

/** A selector of pods, and the labels whose values it takes from the pod that has it. */
export interface LabelKeys {
  readonly labelSelector?: LabelSelector
  readonly matchLabelKeys?: readonly string[]
  readonly mismatchLabelKeys?: readonly string[]
}

const inBoth = 'exists in both matchLabelKeys and'

/** The errors of label keys; `ValidateMatchLabelKeysAndMismatchLabelKeys` of Kubernetes v1.36.3. */
export function labelKeyErrors(term: LabelKeys, path: string): FieldError[] {
  const { labelSelector, matchLabelKeys = [], mismatchLabelKeys = [] } = term
  const mismatches = new Set(mismatchLabelKeys)
  return [
    ...formErrors(matchLabelKeys, labelSelector, `${path}.matchLabelKeys`),
    ...formErrors(mismatchLabelKeys, labelSelector, `${path}.mismatchLabelKeys`),
    ...selectedErrors(matchLabelKeys, labelSelector, path),
    ...matchLabelKeys.flatMap((key, index) =>
      mismatches.has(key)
        ? [invalidValue(`${path}.matchLabelKeys[${index}]`, key, `${inBoth} mismatchLabelKeys`)]
        : [],
    ),
  ]
}

function formErrors(
  keys: readonly string[],
  selector: LabelSelector | undefined,
  path: string,
): FieldError[] {
  if (keys.length === 0) return []
  if (selector === undefined)
    return [forbiddenValue(path, 'must not be specified when labelSelector is not set')]
  return keys.flatMap((key, index) => checkQualified(`${path}[${index}]`, key))
}

/** The selector of a pod already has an expression for each key; another one for the same key is an error. */
function selectedErrors(
  keys: readonly string[],
  { matchLabels = {}, matchExpressions = [] }: LabelSelector = {},
  path: string,
): FieldError[] {
  const indexes = new Map(keys.map((key, index) => [key, index]))
  const selected = new Set(Object.keys(matchLabels))
  return matchExpressions.flatMap(({ key = '' }) => {
    const index = indexes.get(key)
    const isRepeated = index !== undefined && selected.has(key)
    selected.add(key)
    return isRepeated ? [invalidValue(`${path}[${index}]`, key, `${inBoth} labelSelector`)] : []
  })
}
