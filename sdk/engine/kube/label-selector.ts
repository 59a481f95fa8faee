import { PluginError } from './error.js'
import { labelKeyProblems, labelValueProblems } from './label-syntax.js'

/**
 * Label selectors, as objects carry them and as the API's query parameters write them: read,
 * checked, written and matched with the API server's own rules and words, in linear time.
 *
 * See https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors
 */

/** A `meta/v1 LabelSelector`: every label and every expression must hold; an empty one selects everything. */
export interface LabelSelector {
  matchLabels?: Record<string, string>
  matchExpressions?: LabelSelectorExpression[]
}

/** One expression of a {@link LabelSelector}. */
export interface LabelSelectorExpression {
  key: string
  operator: string
  values?: string[]
}

/** A requirement for an object's labels; `=` and `==` are `In`, `!=` is `NotIn`, each with one value. */
export interface LabelRequirement {
  readonly key: string
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | 'Gt' | 'Lt'
  readonly values: readonly string[]
}

/** A `PluginError` `INVALID_SELECTOR`. */
export const invalidSelectorError = (message: string) => new PluginError('INVALID_SELECTOR', message)

const integerForm = /^[+-]?[0-9]{1,19}$/

/** Throws a `PluginError` (`INVALID_SELECTOR`) for a key that is not a valid label key. */
export function checkLabelKey(key: string): void {
  const problems = keyProblems(key)
  if (problems.length > 0) throw problemsError(problems)
}

/** The error for problems, which are joined as in Go: one unchanged, several in brackets. */
function problemsError(problems: readonly string[]): PluginError {
  return invalidSelectorError(problems.length === 1 ? String(problems[0]) : `[${problems.join(', ')}]`)
}

function keyProblems(key: string): string[] {
  const problems = labelKeyProblems(key)
  // The API server names no field where there is no object around the selector.
  return problems.length === 0 ? [] : [`<nil>: Invalid value: ${JSON.stringify(key)}: ${problems.join('; ')}`]
}

function valueProblems({ key, operator, values }: LabelRequirement): string[] {
  const wrong = (field: string, value: string, why: string) =>
    `${field}: Invalid value: ${JSON.stringify(value)}: ${why}`
  const noNumbers = isComparison(operator)
    ? values.flatMap((value, index) =>
        integerForm.test(value)
          ? []
          : [wrong(`values[${index}]`, value, "for 'Gt', 'Lt' operators, the value must be an integer")],
      )
    : []
  const noValues = values.flatMap((value, index) => {
    const problems = labelValueProblems(value)
    return problems.length === 0 ? [] : [wrong(`values[${index}][${key}]`, value, problems.join('; '))]
  })
  return [...noNumbers, ...noValues]
}

const isComparison = (operator: LabelRequirement['operator']) => operator === 'Gt' || operator === 'Lt'

/** Checks a requirement as the API server does and returns it; throws a `PluginError` (`INVALID_SELECTOR`). */
export function checkedRequirement(requirement: LabelRequirement): LabelRequirement {
  const { key, operator, values } = requirement
  const takesNone = operator === 'Exists' || operator === 'DoesNotExist'
  const shown = `values: Invalid value: ${JSON.stringify(values)}`
  const problems = [
    ...keyProblems(key),
    ...(takesNone && values.length > 0
      ? [`${shown}: values set must be empty for exists and does not exist`]
      : []),
    ...(!takesNone && values.length === 0
      ? [`${shown}: for 'in', 'notin' operators, values set can't be empty`]
      : []),
    ...valueProblems(requirement),
  ]
  if (problems.length > 0) throw problemsError(problems)
  return requirement
}

/** The requirements of a selector object. Throws a `PluginError` (`INVALID_SELECTOR`) for an unknown operator. */
export function labelSelectorRequirements(selector: LabelSelector = {}): LabelRequirement[] {
  const fromLabels = Object.entries(selector.matchLabels ?? {}).map(([key, value]) =>
    checkedRequirement({ key, operator: 'In', values: [value] }),
  )
  return [...fromLabels, ...(selector.matchExpressions ?? []).map(fromExpression)]
}

function fromExpression({ key, operator, values = [] }: LabelSelectorExpression): LabelRequirement {
  switch (operator) {
    case 'In':
    case 'NotIn':
    case 'Exists':
    case 'DoesNotExist':
      return checkedRequirement({ key, operator, values })
    default:
      throw invalidSelectorError(`"${operator}" is not a valid label selector operator`)
  }
}

/** Whether labels fulfil every requirement. */
export function matchesLabels(
  requirements: readonly LabelRequirement[],
  labels: Readonly<Record<string, string>> = {},
): boolean {
  return requirements.every((requirement) => {
    // Own members only: `constructor` is a valid label key.
    const value = Object.hasOwn(labels, requirement.key) ? labels[requirement.key] : undefined
    return matchesRequirement(requirement, value)
  })
}

function matchesRequirement({ operator, values }: LabelRequirement, value: string | undefined): boolean {
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value)
    case 'NotIn':
      return value === undefined || !values.includes(value)
    case 'Exists':
      return value !== undefined
    case 'DoesNotExist':
      return value === undefined
    case 'Gt':
      return compareIntegers(value, values[0]) === 1
    case 'Lt':
      return compareIntegers(value, values[0]) === -1
  }
}

function compareIntegers(left = '', right = ''): number | undefined {
  if (!integerForm.test(left) || !integerForm.test(right)) return undefined
  const difference = BigInt(left) - BigInt(right)
  return difference > 0n ? 1 : difference < 0n ? -1 : 0
}

/** The requirements as a `labelSelector` query parameter (not URL-encoded); `''` selects everything. */
export function formatLabelSelector(requirements: readonly LabelRequirement[]): string {
  return requirements.map(formatRequirement).join(',')
}

function formatRequirement({ key, operator, values }: LabelRequirement): string {
  switch (operator) {
    case 'In':
      return values.length === 1 ? `${key}=${values[0]}` : `${key} in (${[...values].sort().join(',')})`
    case 'NotIn':
      return values.length === 1 ? `${key}!=${values[0]}` : `${key} notin (${[...values].sort().join(',')})`
    case 'Exists':
      return key
    case 'DoesNotExist':
      return `!${key}`
    case 'Gt':
      return `${key}>${values[0]}`
    case 'Lt':
      return `${key}<${values[0]}`
  }
}
