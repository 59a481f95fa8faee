import { type OpenObject, recordOf } from '../../base/object.js'
import { compilePolicyExpression, variableNames } from '../../custom/cel/policy-expression.js'
import { type FieldError, invalidValue, required, unsupported } from '../../validation/field-error.js'
import { matchConditionErrors } from '../match-conditions.js'
import { matchResourcesErrors } from '../match-resources.js'

/** The members of an object. */
export type Members = Readonly<Record<string, unknown>>

const failurePolicies = ['Fail', 'Ignore']

/** A text; `''` for anything else. */
export const textOf = (value: unknown) => (typeof value === 'string' ? value : '')
/** The members of a list. */
export const listOf = (value: unknown): Members[] => (Array.isArray(value) ? value.map(recordOf) : [])

/** The error of a text that is not one of a few. */
export function choiceErrors(path: string, value: unknown, allowed: readonly string[]): FieldError[] {
  return allowed.includes(textOf(value)) ? [] : [unsupported(path, JSON.stringify(value), allowed)]
}

/** The errors of the members that all policies have; `validateValidatingAdmissionPolicySpec` of Kubernetes v1.36.3. */
export function policyErrors({ spec }: OpenObject): FieldError[] {
  const { failurePolicy, matchConstraints, matchConditions, variables, paramKind } = recordOf(spec)
  const rules = listOf(recordOf(matchConstraints).resourceRules)
  return [
    ...choiceErrors('spec.failurePolicy', failurePolicy, failurePolicies),
    ...paramKindErrors(paramKind),
    ...(matchConstraints === undefined
      ? [required('spec.matchConstraints', '')]
      : matchResourcesErrors('spec.matchConstraints', recordOf(matchConstraints))),
    ...(matchConstraints !== undefined && rules.length === 0
      ? [required('spec.matchConstraints.resourceRules', '')]
      : []),
    ...matchConditionErrors('spec.matchConditions', matchConditions, paramKind !== undefined),
    ...variableErrors(recordOf(spec), listOf(variables)),
  ]
}

function paramKindErrors(paramKind: unknown): FieldError[] {
  if (paramKind === undefined) return []
  return (['apiVersion', 'kind'] as const).flatMap((name) =>
    textOf(recordOf(paramKind)[name]) === '' ? [required(`spec.paramKind.${name}`, '')] : [],
  )
}

/** The errors of the variables of a policy. The expression of a variable may use earlier variables. */
function variableErrors(spec: Members, variables: readonly Members[]): FieldError[] {
  const earlier = new Set<string>()
  return variables.flatMap((variable, index) => {
    const path = `spec.variables[${index}]`
    const name = textOf(variable.name)
    const expression = textOf(variable.expression)
    const errors = [
      ...nameErrors(`${path}.name`, name),
      ...(expression.trim() === ''
        ? [required(`${path}.expression`, 'expression is not specified')]
        : expressionErrors(`${path}.expression`, expression, { spec, variables: earlier })),
    ]
    earlier.add(name)
    return errors
  })
}

function nameErrors(path: string, name: string): FieldError[] {
  if (name.trim() === '') return [required(path, 'name is not specified')]
  if (/^[A-Za-z_]\w*$/.test(name) && !reserved.has(name)) return []
  return [invalidValue(path, name, 'must be a valid CEL identifier')]
}

const reserved = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
)

/** The policy of an expression, the allowed types of its result, and whether it is a mutation. */
export interface ExpectedExpression {
  readonly spec: Members
  /** The names of the variables that it may use; by default all of the policy. */
  readonly variables?: ReadonlySet<string>
  readonly types?: readonly string[]
  readonly isMutation?: boolean
}

/** The error of an expression that does not compile. One that uses the authorizer is not compiled: it has none here. */
export function expressionErrors(
  path: string,
  expression: string,
  { spec, variables = variableNames(spec.variables), types = [], isMutation = false }: ExpectedExpression,
): FieldError[] {
  if (/\bauthorizer\b/.test(expression)) return []
  const scope = { hasParams: spec.paramKind !== undefined, variables, isMutation }
  const compiled = compilePolicyExpression(expression, scope, types)
  return 'problem' in compiled ? [invalidValue(path, expression, compiled.problem)] : []
}
