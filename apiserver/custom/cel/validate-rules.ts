import { jsonEqual } from '../../../sdk/engine/kube/json.js'
import { isJsonObject } from '../../../sdk/engine/kube/json-object.js'
import type { Rule, Schema } from '../../schema/structural-schema.js'
import {
  duplicate,
  type FieldError,
  forbiddenValue,
  invalidValue,
  required,
} from '../../validation/field-error.js'
import { correlatedMember, elementCorrelation, type Old } from '../correlation.js'
import { celLibrary } from './cel-library.js'
import type { CompiledRule, RuleInput } from './compile-rule.js'
import { runtimeErrorText } from './error-texts.js'
import { normalizedPath } from './field-path.js'
import type { RuleNode } from './rule-tree.js'

/** The maximum size of a rule's message; see `MaxEvaluatedMessageExpressionSizeBytes` of k8s.io/apiserver. */
const maxMessageBytes = 5 * 1024

/** The path of a value, and its old value. */
interface FieldContext {
  readonly path: string
  /** The value before an update, if it can be correlated. */
  readonly old: Old | undefined
  /** Whether this value or one around it is unchanged. An unchanged value may stay invalid. */
  readonly isUnchanged: () => boolean
}

/**
 * Evaluates all rules for a value and the values in it, in the order and with the texts of
 * `pkg/apiserver/schema/cel/validation.go` of k8s.io/apiextensions-apiserver v0.36.3. Costs are not counted.
 */
export function validateRules(node: RuleNode, value: unknown, old: Old | undefined): FieldError[] {
  return validateNode(node, value, { path: '', old, isUnchanged: unchanged(value, old) })
}

const unchanged = (value: unknown, old: Old | undefined) => () =>
  old !== undefined && jsonEqual(value, old.value)

function validateNode(node: RuleNode, value: unknown, context: FieldContext): FieldError[] {
  if (value === null || value === undefined) return []
  const errors = node.rules.length === 0 ? [] : validateOwnRules(node, value, context)
  if (Array.isArray(value)) return [...errors, ...validateElements(node, value, context)]
  return isJsonObject(value) ? [...errors, ...validateMembers(node, value, context)] : errors
}

function validateElements(
  { items, schema }: RuleNode,
  list: readonly unknown[],
  context: FieldContext,
): FieldError[] {
  if (items === undefined) return []
  const oldOf = elementCorrelation(schema, context.old)
  return list.flatMap((element, index) => {
    const inner = { path: `${context.path}[${index}]`, value: element, old: oldOf(element) }
    return validateNode(items, element, innerContext(context, inner))
  })
}

function validateMembers(
  node: RuleNode,
  object: Readonly<Record<string, unknown>>,
  context: FieldContext,
): FieldError[] {
  return Object.entries(object).flatMap(([name, member]) => {
    const property = node.properties.get(name)
    const below = property ?? node.additional
    if (below === undefined) return []
    const old = correlatedMember(name, context)
    const memberPath = context.path === '' ? name : `${context.path}.${name}`
    const path = property === undefined ? `${context.path}[${name}]` : memberPath
    return validateNode(below, member, innerContext(context, { path, value: member, old }))
  })
}

interface InnerValue {
  readonly path: string
  readonly value: unknown
  readonly old: Old | undefined
}

/** The context of an inner value. An element that cannot be correlated is unchanged if its whole list is unchanged. */
function innerContext(context: FieldContext, { path, value, old }: InnerValue): FieldContext {
  return { path, old, isUnchanged: old === undefined ? context.isUnchanged : unchanged(value, old) }
}

function validateOwnRules(
  { rules, type, schema }: RuleNode,
  value: unknown,
  context: FieldContext,
): FieldError[] {
  if (type === undefined) return []
  const self = type.of(value)
  const before =
    context.old === undefined || context.old.value === null ? undefined : type.of(context.old.value)
  const errors: FieldError[] = []
  for (const { compiled } of rules) {
    if (compiled === undefined || isSkipped(compiled, before)) continue
    const input = inputOf(compiled, self, before)
    const evaluation = { compiled, input, path: context.path, schema, value }
    const error = evaluateRule(evaluation)
    if (error !== undefined && (compiled.usesOldSelf || error.isCrash || !context.isUnchanged()))
      errors.push(error.error)
  }
  return errors
}

/** A transition rule is skipped if there is no old value. */
function isSkipped({ usesOldSelf, rule }: CompiledRule, before: unknown): boolean {
  return usesOldSelf && before === undefined && rule.optionalOldSelf !== true
}

function inputOf({ usesOldSelf, rule }: CompiledRule, self: unknown, before: unknown): RuleInput {
  if (!usesOldSelf) return { self }
  return { self, oldSelf: rule.optionalOldSelf === true ? celLibrary().Optional.of(before) : before }
}

interface RuleEvaluation {
  readonly compiled: CompiledRule
  readonly input: RuleInput
  readonly path: string
  readonly schema: Schema
  readonly value: unknown
}

interface RuleFailure {
  readonly error: FieldError
  /** The rule failed with an error, which is reported even if the value is unchanged. */
  readonly isCrash: boolean
}

function evaluateRule(evaluation: RuleEvaluation): RuleFailure | undefined {
  try {
    return evaluation.compiled.holds(evaluation.input)
      ? undefined
      : { error: violationError(evaluation), isCrash: false }
  } catch (error) {
    return { error: evaluationError(evaluation, error), isCrash: true }
  }
}

const fieldOf = (path: string) => (path === '' ? '<nil>' : path)

const nameOf = ({ message = '', rule }: Rule) => (message === '' ? rule : message).trim()

function evaluationError({ compiled: { rule }, path, schema }: RuleEvaluation, error: unknown): FieldError {
  const text = runtimeErrorText(error)
  const isOverload = text.startsWith('no such overload')
  const why = isOverload
    ? `'${text}': call arguments did not match a supported operator, function or macro signature for rule: ${nameOf(rule)}`
    : `${text} evaluating rule: ${nameOf(rule)}`
  return invalidValue(fieldOf(path), schema.type ?? '', why)
}

function violationError(evaluation: RuleEvaluation): FieldError {
  const { compiled, path, schema, value } = evaluation
  const { rule } = compiled
  const below = normalizedPath(schema, rule.fieldPath ?? '')
  const field = fieldOf(path === '' || below === '' ? path + below : `${path}.${below}`)
  const why = messageOf(evaluation) ?? (rule.message ? rule.message.trim() : `failed rule: ${nameOf(rule)}`)
  const isShown = schema.type !== 'object' && schema.type !== 'array'
  if (rule.reason === 'FieldValueForbidden') return forbiddenValue(field, why)
  if (rule.reason === 'FieldValueRequired') return required(field, why)
  const isDuplicate = rule.reason === 'FieldValueDuplicate'
  if (isShown && !isDuplicate) return invalidValue(field, value, why)
  if (!isDuplicate) return { reason: 'FieldValueInvalid', message: `Invalid value: ${why}`, field }
  // The duplicate value is shown instead of the message, unless it is too large.
  return isShown
    ? duplicate(field, value)
    : { reason: 'FieldValueDuplicate', message: 'Duplicate value', field }
}

/** The result of `messageExpression`, unless it fails or is not a single line of text. */
function messageOf({ compiled, input }: RuleEvaluation): string | undefined {
  if (compiled.message === undefined) return undefined
  try {
    const text = String(compiled.message(input)).trim()
    const fits = text !== '' && !text.includes('\n') && Buffer.byteLength(text) <= maxMessageBytes
    return fits ? text : undefined
  } catch {
    // The rule's `message` is used instead.
    return undefined
  }
}
