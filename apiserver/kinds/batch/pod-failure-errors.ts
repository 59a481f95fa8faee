import { recordOf } from '../../base/object.js'
import {
  duplicate,
  type FieldError,
  invalidValue,
  required,
  unsupported,
} from '../../validation/field-error.js'
import { repeatedIndexes } from '../../validation/repeated.js'
import { checkQualified } from '../../validation/values.js'
import type { JobSpec } from './job-spec.js'

type Members = Readonly<Record<string, unknown>>

const actions = ['Count', 'FailIndex', 'FailJob', 'Ignore']
const statuses = ['False', 'True', 'Unknown']
const operators = ['In', 'NotIn']

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
/** Texts in Go's format `%q`. */
const quoted = (values: readonly string[]) => `valid values: [${values.map((each) => `"${each}"`).join(' ')}]`

/** The errors of a Job's pod failure policy; `validatePodFailurePolicy` of Kubernetes v1.36.3. */
export function failurePolicyErrors(spec: JobSpec, path: string): FieldError[] {
  const { podFailurePolicy, template } = spec
  const { containers, initContainers } = template?.spec ?? {}
  const names = [...(containers ?? []), ...(initContainers ?? [])].map(({ name }) => name)
  const { rules } = recordOf(podFailurePolicy)
  return listOf(rules).flatMap((rule, index) =>
    ruleErrors(recordOf(rule), spec, { names, path: `${path}.rules[${index}]` }),
  )
}

interface RuleContext {
  readonly names: readonly unknown[]
  readonly path: string
}

function ruleErrors(
  { action = '', onExitCodes, onPodConditions }: Members,
  spec: JobSpec,
  around: RuleContext,
): FieldError[] {
  const { path } = around
  const conditions = listOf(onPodConditions)
  return [
    ...actionErrors(String(action), spec, `${path}.action`),
    ...(onExitCodes === undefined
      ? []
      : exitErrors(recordOf(onExitCodes), { ...around, path: `${path}.onExitCodes` })),
    ...conditions.flatMap((each, index) =>
      conditionErrors(recordOf(each), `${path}.onPodConditions[${index}]`),
    ),
    ...choiceErrors(onExitCodes !== undefined, conditions.length > 0, path),
  ]
}

function choiceErrors(hasCodes: boolean, hasConditions: boolean, field: string): FieldError[] {
  if (hasCodes !== hasConditions) return []
  const why = hasCodes
    ? 'specifying both OnExitCodes and OnPodConditions is not supported'
    : 'specifying one of OnExitCodes and OnPodConditions is required'
  return [{ reason: 'FieldValueInvalid', message: `Invalid value: ${why}`, field }]
}

function actionErrors(action: string, { backoffLimitPerIndex }: JobSpec, field: string): FieldError[] {
  if (action === '') return [required(field, quoted(actions))]
  if (!actions.includes(action)) return [unsupported(field, JSON.stringify(action), actions)]
  const isLost = action === 'FailIndex' && backoffLimitPerIndex === undefined
  return isLost ? [invalidValue(field, action, 'requires the backoffLimitPerIndex to be set')] : []
}

function conditionErrors({ type = '', status = '' }: Members, path: string): FieldError[] {
  return [...checkQualified(`${path}.type`, String(type)), ...wordErrors(`${path}.status`, status, statuses)]
}

function wordErrors(field: string, value: unknown, allowed: readonly string[]): FieldError[] {
  if (value === '') return [required(field, quoted(allowed))]
  return allowed.includes(String(value)) ? [] : [unsupported(field, JSON.stringify(value), allowed)]
}

function exitErrors(
  { operator = '', containerName, values }: Members,
  { names, path }: RuleContext,
): FieldError[] {
  const codes = listOf(values).map(Number)
  const repeated = repeatedIndexes(codes)
  const strange = 'must be one of the container or initContainer names in the pod template'
  const field = `${path}.values`
  const isOrdered = codes.every((code, index) => index === 0 || (codes[index - 1] ?? 0) <= code)
  return [
    ...wordErrors(`${path}.operator`, operator, operators),
    ...(containerName === undefined || names.includes(containerName)
      ? []
      : [invalidValue(`${path}.containerName`, containerName, strange)]),
    ...(codes.length === 0 ? [invalidValue(field, values ?? null, 'at least one value is required')] : []),
    ...codes.flatMap((code, index) =>
      codeErrors(code, `${field}[${index}]`, operator === 'In', repeated.has(index)),
    ),
    ...(isOrdered ? [] : [invalidValue(field, codes, 'must be ordered')]),
  ]
}

function codeErrors(code: number, field: string, isIn: boolean, isDuplicate: boolean): FieldError[] {
  return [
    ...(isIn && code === 0 ? [invalidValue(field, code, 'must not be 0 for the In operator')] : []),
    ...(isDuplicate ? [duplicate(field, code)] : []),
  ]
}
