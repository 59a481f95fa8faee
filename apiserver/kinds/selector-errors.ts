import { labelKeyProblems, labelValueProblems } from '../../sdk/engine/kube/label-syntax.js'
import { ownEntry } from '../base/own-entry.js'
import { type FieldError, forbiddenValue, invalidValue, required } from '../validation/field-error.js'
import { validateLabels } from '../validation/metadata.js'

/** One requirement of a selector. */
interface Requirement {
  readonly key?: string
  readonly operator?: string
  readonly values?: readonly string[]
}

/** A label selector; `meta/v1`. */
export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>
  readonly matchExpressions?: readonly Requirement[]
}

const operators = ['In', 'NotIn', 'Exists', 'DoesNotExist']

/** The errors of a selector; `ValidateLabelSelector` of apimachinery. */
export function selectorErrors(selector: LabelSelector | undefined | null, path: string): FieldError[] {
  const { matchLabels, matchExpressions = [] } = selector ?? {}
  return [
    ...validateLabels(matchLabels, `${path}.matchLabels`),
    ...matchExpressions.flatMap((each, index) =>
      requirementErrors(each, `${path}.matchExpressions[${index}]`),
    ),
  ]
}

function requirementErrors(
  { key = '', operator = '', values = [] }: Requirement,
  path: string,
): FieldError[] {
  const needsValues = operator === 'In' || operator === 'NotIn'
  const missingText = "must be specified when `operator` is 'In' or 'NotIn'"
  const superfluous = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"
  return [
    ...(needsValues && values.length === 0 ? [required(`${path}.values`, missingText)] : []),
    ...(!needsValues && operators.includes(operator) && values.length > 0
      ? [forbiddenValue(`${path}.values`, superfluous)]
      : []),
    ...(operators.includes(operator)
      ? []
      : [invalidValue(`${path}.operator`, operator, 'not a valid selector operator')]),
    ...labelKeyProblems(key).map((problem) => invalidValue(`${path}.key`, key, problem)),
    ...values.flatMap((value, index) =>
      labelValueProblems(value).map((problem) => invalidValue(`${path}.values[${index}]`, value, problem)),
    ),
  ]
}

/** Labels in Go's order, sorted by key. */
export function sortLabels(labels: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** A selector in Go's format. */
export function selectorInGo({ matchLabels, matchExpressions }: LabelSelector): LabelSelector {
  return {
    ...(matchLabels === undefined ? {} : { matchLabels: sortLabels(matchLabels) }),
    ...(matchExpressions === undefined ? {} : { matchExpressions }),
  }
}

/** Whether a selector has no requirements. */
export function isEmptySelector({ matchLabels = {}, matchExpressions = [] }: LabelSelector): boolean {
  return Object.keys(matchLabels).length + matchExpressions.length === 0
}

/** Whether a selector is given and valid. */
export function isUsable(selector: LabelSelector | undefined | null): boolean {
  return selectorErrors(selector, '').length === 0
}

/** Whether a selector matches an object with these labels. */
export function selects(selector: LabelSelector, labels: Readonly<Record<string, string>>): boolean {
  const { matchLabels = {}, matchExpressions = [] } = selector
  return (
    Object.entries(matchLabels).every(([key, value]) => ownEntry(labels, key) === value) &&
    matchExpressions.every((requirement) => meetsRequirement(requirement, labels))
  )
}

function meetsRequirement(
  { key = '', operator, values = [] }: Requirement,
  labels: Readonly<Record<string, string>>,
): boolean {
  const value = ownEntry(labels, key)
  if (operator === 'In') return value !== undefined && values.includes(value)
  if (operator === 'NotIn') return value === undefined || !values.includes(value)
  return (value !== undefined) === (operator === 'Exists')
}
