import type { Rule, Schema } from '../../schema/structural-schema.js'
import { type FieldError, invalidValue, required, unsupported } from '../../validation/field-error.js'
import { followPath } from '../cel/field-path.js'
import type { RuleNode } from '../cel/rule-tree.js'

const reasons = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired']

/** Makes the checks of a node's rules that are possible without compiling the rules. */
export function validateRuleMembers(schema: Schema, path: string): FieldError[] {
  const rules = schema['x-kubernetes-validations'] ?? []
  return rules.flatMap((rule, index) =>
    validateRule(rule, schema, `${path}.x-kubernetes-validations[${index}]`),
  )
}

const hasNewlines = (text: string) => /[\n\r]/.test(text)

function validateRule(rule: Rule, schema: Schema, path: string): FieldError[] {
  const { messageExpression = '', reason } = rule
  const errors = validateTexts(rule, path)
  if (messageExpression !== '' && messageExpression.trim() === '') {
    errors.push(required(`${path}.messageExpression`, 'messageExpression must be non-empty if specified'))
  }
  if (reason !== undefined && !reasons.includes(reason)) {
    errors.push(unsupported(`${path}.reason`, JSON.stringify(reason), reasons))
  }
  return [...errors, ...validateFieldPath(rule, schema, `${path}.fieldPath`)]
}

function validateTexts({ rule, message = '' }: Rule, path: string): FieldError[] {
  const text = (rule ?? '').trim()
  const trimmed = message.trim()
  if (text === '') return [required(`${path}.rule`, 'rule is not specified')]
  if (message !== '' && trimmed === '') {
    return [invalidValue(`${path}.message`, message, 'must be non-empty if specified')]
  }
  if (hasNewlines(trimmed)) return [invalidValue(`${path}.message`, message, 'must not contain line breaks')]
  if (!hasNewlines(text) || trimmed !== '') return []
  return [required(`${path}.message`, 'message must be specified if rule contains line breaks')]
}

function validateFieldPath({ fieldPath = '' }: Rule, schema: Schema, path: string): FieldError[] {
  if (fieldPath === '') return []
  const errors: FieldError[] = []
  const refuse = (why: string) => errors.push(invalidValue(path, fieldPath, why))
  if (fieldPath.trim() === '') refuse('must be non-empty if specified')
  if (hasNewlines(fieldPath)) refuse('must not contain line breaks')
  if (typeof followPath(schema, fieldPath) === 'string') refuse('must be a valid path')
  return errors
}

/** The path of rules in a schema, and the list around them. */
interface FieldContext {
  readonly path: string
  /** The path of the outermost list whose elements cannot be correlated with old ones, if there is one. */
  readonly uncorrelatable?: string | undefined
}

/**
 * The errors of compiled rules, with the texts of `pkg/apis/apiextensions/validation/validation.go` of
 * k8s.io/apiextensions-apiserver v0.36.3. Costs are not estimated.
 */
export function validateCompiled(node: RuleNode | undefined, context: FieldContext): FieldError[] {
  if (node === undefined) return []
  const { path, uncorrelatable } = context
  const isCorrelatable = node.schema['x-kubernetes-list-type'] === 'map'
  const properties = [...node.properties].flatMap(([name, property]) =>
    validateCompiled(property, { path: `${path}.properties[${name}]`, uncorrelatable }),
  )
  return [
    ...validateCompiled(node.additional, { path: `${path}.additionalProperties`, uncorrelatable }),
    ...properties,
    ...validateCompiled(node.items, {
      path: `${path}.items`,
      uncorrelatable: isCorrelatable ? uncorrelatable : (uncorrelatable ?? path),
    }),
    ...validateOwn(node, context),
  ]
}

function validateOwn({ rules, schema }: RuleNode, { path, uncorrelatable }: FieldContext): FieldError[] {
  return rules.flatMap(({ compiled, problem, messageProblem }, index) => {
    const field = `${path}.x-kubernetes-validations[${index}]`
    const rule = schema['x-kubernetes-validations']?.[index]
    const errors: FieldError[] = []
    if (problem !== undefined) errors.push(invalidRuleError(`${field}.rule`, rule, problem))
    if (messageProblem !== undefined) {
      errors.push(invalidRuleError(`${field}.messageExpression`, rule, messageProblem))
    }
    if (compiled?.usesOldSelf === true && uncorrelatable !== undefined) {
      const why = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelatable}`
      errors.push(invalidValue(`${field}.rule`, rule?.rule, why))
    } else if (compiled?.usesOldSelf !== true && rule?.optionalOldSelf !== undefined) {
      const why = 'may not be set if oldSelf is not used in rule'
      errors.push(invalidValue(`${field}.optionalOldSelf`, rule.optionalOldSelf, why))
    }
    return errors
  })
}

/** Go prints the rule in its internal type, with its own JSON encoding. */
function invalidRuleError(field: string, rule: Rule | undefined, why: string): FieldError {
  const ruleText = JSON.stringify({
    Rule: rule?.rule ?? '',
    Message: rule?.message ?? '',
    MessageExpression: rule?.messageExpression ?? '',
    Reason: rule?.reason ?? null,
    FieldPath: rule?.fieldPath ?? '',
    OptionalOldSelf: rule?.optionalOldSelf ?? null,
  })
  const escaped = ruleText.replace(
    /[<>&]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return { reason: 'FieldValueInvalid', message: `Invalid value: ${escaped}: ${why}`, field }
}
