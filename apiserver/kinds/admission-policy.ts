import { type OpenObject, recordOf } from '../base/object.js'
import { compilePolicyExpression } from '../custom/cel/policy-expression.js'
import type { KindRules } from '../resources/kind-rules.js'
import {
  duplicate,
  type FieldError,
  forbiddenValue,
  invalidValue,
  required,
  unsupported,
} from '../validation/field-error.js'
import { subdomainName } from '../validation/names.js'
import { matchConditionErrors } from './match-conditions.js'
import { matchResourcesErrors } from './match-resources.js'
import { type LabelSelector, selectorErrors } from './selector-errors.js'

type Members = Readonly<Record<string, unknown>>

const FAILURE_POLICIES = ['Fail', 'Ignore']
const REASONS = ['Forbidden', 'Invalid', 'RequestEntityTooLarge', 'Unauthorized']
const ACTIONS = ['Audit', 'Deny', 'Warn']
const NOT_FOUND_ACTIONS = ['Deny', 'Allow']
const ONE_OF_BOTH = 'validations or auditAnnotations must contain at least one item'
const EXCLUSIVE = 'name and selector are mutually exclusive'
const DENY_AND_WARN =
  'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)'

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')
const listOf = (value: unknown): Members[] => (Array.isArray(value) ? value.map(recordOf) : [])

function choiceErrors(path: string, value: unknown, allowed: readonly string[]): FieldError[] {
  return allowed.includes(textOf(value)) ? [] : [unsupported(path, JSON.stringify(value), allowed)]
}

/** `validateValidatingAdmissionPolicySpec` of Kubernetes v1.36.3. */
function policyErrors({ spec }: OpenObject): FieldError[] {
  const { failurePolicy, matchConstraints, matchConditions, variables, validations, auditAnnotations } =
    recordOf(spec)
  const rules = listOf(recordOf(matchConstraints).resourceRules)
  return [
    ...choiceErrors('spec.failurePolicy', failurePolicy, FAILURE_POLICIES),
    ...paramKindErrors(recordOf(spec).paramKind),
    ...(matchConstraints === undefined
      ? [required('spec.matchConstraints', '')]
      : matchResourcesErrors('spec.matchConstraints', recordOf(matchConstraints))),
    ...(matchConstraints !== undefined && rules.length === 0
      ? [required('spec.matchConstraints.resourceRules', '')]
      : []),
    ...matchConditionErrors('spec.matchConditions', matchConditions, recordOf(spec).paramKind !== undefined),
    ...variableErrors(recordOf(spec), listOf(variables)),
    ...(listOf(validations).length + listOf(auditAnnotations).length === 0
      ? [required('spec.validations', ONE_OF_BOTH), required('spec.auditAnnotations', ONE_OF_BOTH)]
      : listOf(validations).flatMap((validation, at) =>
          validationErrors(`spec.validations[${at}]`, validation, recordOf(spec)),
        )),
  ]
}

function paramKindErrors(paramKind: unknown): FieldError[] {
  if (paramKind === undefined) return []
  return (['apiVersion', 'kind'] as const).flatMap((name) =>
    textOf(recordOf(paramKind)[name]) === '' ? [required(`spec.paramKind.${name}`, '')] : [],
  )
}

/** A variable may use those before it. */
function variableErrors(spec: Members, variables: readonly Members[]): FieldError[] {
  return variables.flatMap((variable, at) => {
    const path = `spec.variables[${at}]`
    const name = textOf(variable.name)
    const expression = textOf(variable.expression)
    const earlier = { ...spec, variables: variables.slice(0, at) }
    return [
      ...nameErrors(`${path}.name`, name),
      ...(expression.trim() === ''
        ? [required(`${path}.expression`, 'expression is not specified')]
        : expressionErrors(`${path}.expression`, expression, { spec: earlier })),
    ]
  })
}

function nameErrors(path: string, name: string): FieldError[] {
  if (name.trim() === '') return [required(path, 'name is not specified')]
  if (/^[A-Za-z_]\w*$/.test(name) && !RESERVED.has(name)) return []
  return [invalidValue(path, name, 'must be a valid CEL identifier')]
}

const RESERVED = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
)

function validationErrors(path: string, validation: Members, spec: Members): FieldError[] {
  const [expression, message] = [textOf(validation.expression), textOf(validation.message)]
  const messageExpression = textOf(validation.messageExpression)
  return [
    ...(expression.trim() === ''
      ? [required(`${path}.expression`, 'expression is not specified')]
      : expressionErrors(`${path}.expression`, expression, { spec, type: 'bool' })),
    ...(messageExpression !== '' && messageExpression.trim() === ''
      ? [invalidValue(`${path}.messageExpression`, messageExpression, 'must be non-empty if specified')]
      : []),
    ...(messageExpression.trim() === ''
      ? []
      : expressionErrors(`${path}.messageExpression`, messageExpression, { spec, type: 'string' })),
    ...messageErrors(`${path}.message`, message),
    ...(validation.reason === undefined ? [] : choiceErrors(`${path}.reason`, validation.reason, REASONS)),
  ]
}

function messageErrors(path: string, message: string): FieldError[] {
  if (message !== '' && message.trim() === '')
    return [invalidValue(path, message, 'must be non-empty if specified')]
  return /[\n\r]/.test(message.trim()) ? [invalidValue(path, message, 'must not contain line breaks')] : []
}

interface Expected {
  readonly spec: Members
  readonly type?: string
}

/** The error of an expression that does not compile. One that uses the authorizer is not compiled: it has none here. */
function expressionErrors(path: string, expression: string, { spec, type }: Expected): FieldError[] {
  if (/\bauthorizer\b/.test(expression)) return []
  const variables = listOf(spec.variables).map(({ name }) => textOf(name))
  const scope = { hasParams: spec.paramKind !== undefined, variables }
  const compiled = compilePolicyExpression(expression, scope, type)
  return 'problem' in compiled ? [invalidValue(path, expression, compiled.problem)] : []
}

/** `validateValidatingAdmissionPolicyBindingSpec` of Kubernetes v1.36.3. */
function bindingErrors({ spec }: OpenObject): FieldError[] {
  const { policyName, paramRef, matchResources, validationActions } = recordOf(spec)
  const problem = textOf(policyName) === '' ? undefined : subdomainName(textOf(policyName))
  return [
    ...(textOf(policyName) === '' ? [required('spec.policyName', '')] : []),
    ...(problem === undefined ? [] : [invalidValue('spec.policyName', textOf(policyName), problem)]),
    ...(paramRef === undefined ? [] : paramRefErrors('spec.paramRef', recordOf(paramRef))),
    ...(matchResources === undefined
      ? []
      : matchResourcesErrors('spec.matchResources', recordOf(matchResources))),
    ...actionErrors('spec.validationActions', validationActions),
  ]
}

function paramRefErrors(
  path: string,
  { name, selector, parameterNotFoundAction: action }: Members,
): FieldError[] {
  const hasName = textOf(name) !== ''
  const isTwofold = hasName && selector !== undefined
  return [
    ...(isTwofold ? [forbiddenValue(`${path}.name`, EXCLUSIVE)] : []),
    ...selectorErrors(selector as LabelSelector | undefined, `${path}.selector`),
    ...(isTwofold ? [forbiddenValue(`${path}.selector`, EXCLUSIVE)] : []),
    ...(hasName || selector !== undefined
      ? []
      : [required(path, 'one of name or selector must be specified')]),
    ...(textOf(action) === ''
      ? [required(`${path}.parameterNotFoundAction`, '')]
      : choiceErrors(`${path}.parameterNotFoundAction`, action, NOT_FOUND_ACTIONS)),
  ]
}

function actionErrors(path: string, given: unknown): FieldError[] {
  const actions = Array.isArray(given) ? given.map(String) : []
  return [
    ...actions.flatMap((action, at) => [
      ...choiceErrors(`${path}[${at}]`, action, ACTIONS),
      ...(actions.indexOf(action) < at ? [duplicate(`${path}[${at}]`, action)] : []),
    ]),
    ...(actions.includes('Deny') && actions.includes('Warn')
      ? [invalidValue(path, actions, DENY_AND_WARN)]
      : []),
    ...(actions.length === 0 ? [required(path, 'at least one validation action is required')] : []),
  ]
}

/** https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/ */
export const validatingPolicyRules: KindRules = {
  generation: true,
  checksFinalizers: false,
  statusKeeps: 'metadata',
  createsByStatus: true,
  validate: (object, _old, subresource) => (subresource === 'status' ? [] : policyErrors(object)),
}

/** https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/ */
export const validatingBindingRules: KindRules = {
  generation: true,
  checksFinalizers: false,
  validate: bindingErrors,
}
