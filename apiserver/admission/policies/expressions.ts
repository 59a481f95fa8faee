import type { KubeObject } from '../../../sdk/engine/kube/object.js'
import { celValue } from '../../custom/cel/cel-value.js'
import type { CompiledExpression } from '../../custom/cel/compile-rule.js'
import { runtimeErrorText } from '../../custom/cel/error-texts.js'
import { compilePolicyExpression, variableNames } from '../../custom/cel/policy-expression.js'
import type { AdmissionRequest } from '../review/admission-request.js'
import { PolicyProblem } from './params.js'
import type { PolicySpec } from './policy.js'

/** The values that the expressions of a policy may use. */
export interface PolicyInput {
  readonly reviewRequest: AdmissionRequest
  readonly param: KubeObject | undefined
  /** The namespace of the object; absent for one outside of namespaces. */
  readonly namespace: KubeObject | undefined
}

/** The expected type of a result, and whether the expression is a mutation. */
export interface ExpressionOptions {
  readonly type?: string
  readonly isMutation?: boolean
}

/** Runs an expression of a policy. Throws a {@link PolicyProblem}. */
export type RunExpression = (expression: string, expected?: ExpressionOptions) => unknown

const compiled = new WeakMap<PolicySpec, Map<string, CompiledExpression>>()

/** Prepares the expressions of a policy for one request. Variables are computed at their first use. */
export function expressionsOf(spec: PolicySpec, input: PolicyInput): RunExpression {
  const values: Record<string, unknown> = variablesOf(input)
  const lazy: Record<string, unknown> = {}
  const run: RunExpression = (expression, expected = {}) =>
    evaluate(programFor(spec, expression, expected), expression, values)
  // The last of several variables with the same name wins.
  const expressions = new Map((spec.variables ?? []).map(({ name, expression }) => [name, expression]))
  for (const [name, expression] of expressions) defineVariable(lazy, name, () => run(expression))
  values.variables = lazy
  return run
}

function variablesOf({ reviewRequest, param, namespace }: PolicyInput): Record<string, unknown> {
  const { object, oldObject, ...otherMembers } = reviewRequest
  return {
    object: celValue(object),
    oldObject: celValue(oldObject),
    request: celValue({ ...otherMembers, object, oldObject }),
    params: celValue(param ?? null),
    namespaceObject: celValue(namespace ?? null),
  }
}

/** Defines a variable whose value is computed once, when an expression reads the variable. */
function defineVariable(variables: Record<string, unknown>, name: string, compute: () => unknown): void {
  let result: { readonly value: unknown } | { readonly error: unknown } | undefined
  Object.defineProperty(variables, name, {
    enumerable: true,
    get: () => {
      result ??= attempt(name, compute)
      if ('error' in result) throw result.error
      return result.value
    },
  })
}

function attempt(name: string, compute: () => unknown) {
  try {
    return { value: compute() }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { error: new PolicyProblem(`composited variable "${name}" fails to evaluate: ${why}`) }
  }
}

/** The program of a stored expression, compiled once for each policy. */
function programFor(
  spec: PolicySpec,
  expression: string,
  { type, isMutation = false }: ExpressionOptions,
): CompiledExpression {
  const programs = compiled.get(spec) ?? new Map<string, CompiledExpression>()
  compiled.set(spec, programs)
  const key = `${type}:${isMutation}:${expression}`
  const existing = programs.get(key)
  if (existing !== undefined) return existing
  const variables = variableNames(spec.variables)
  const scope = { hasParams: spec.paramKind !== undefined, variables, isMutation }
  const compiledExpression = compilePolicyExpression(expression, scope, type === undefined ? [] : [type])
  programs.set(key, compiledExpression)
  return compiledExpression
}

function evaluate(
  compiled: CompiledExpression,
  expression: string,
  values: Record<string, unknown>,
): unknown {
  if ('problem' in compiled) throw new PolicyProblem(compiled.problem)
  try {
    return compiled.program(values)
  } catch (error) {
    const why = error instanceof PolicyProblem ? error.message : runtimeErrorText(error)
    throw new PolicyProblem(`expression '${expression}' resulted in error: ${why}`)
  }
}
