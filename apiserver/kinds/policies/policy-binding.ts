import { type OpenObject, recordOf } from '../../base/object.js'
import type { KindRules } from '../../resources/kind-rules.js'
import {
  duplicate,
  type FieldError,
  forbiddenValue,
  invalidValue,
  required,
} from '../../validation/field-error.js'
import { checkSubdomainName } from '../../validation/names.js'
import { repeatedIndexes } from '../../validation/repeated.js'
import { matchResourcesErrors } from '../match-resources.js'
import { type LabelSelector, selectorErrors } from '../selector-errors.js'
import { choiceErrors, type Members, textOf } from './policy-errors.js'

const validationActions = ['Audit', 'Deny', 'Warn']
const notFoundActions = ['Deny', 'Allow']
const mutuallyExclusive = 'name and selector are mutually exclusive'
const denyAndWarn =
  'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)'

/** `validateMutatingAdmissionPolicyBindingSpec` of Kubernetes v1.36.3. */
function bindingErrors({ spec }: OpenObject): FieldError[] {
  const { policyName, paramRef, matchResources } = recordOf(spec)
  const problem = textOf(policyName) === '' ? undefined : checkSubdomainName(textOf(policyName))
  return [
    ...(textOf(policyName) === '' ? [required('spec.policyName', '')] : []),
    ...(problem === undefined ? [] : [invalidValue('spec.policyName', textOf(policyName), problem)]),
    ...(paramRef === undefined ? [] : paramRefErrors('spec.paramRef', recordOf(paramRef))),
    ...(matchResources === undefined
      ? []
      : matchResourcesErrors('spec.matchResources', recordOf(matchResources))),
  ]
}

function paramRefErrors(
  path: string,
  { name, selector, parameterNotFoundAction: action }: Members,
): FieldError[] {
  const hasName = textOf(name) !== ''
  const isTwofold = hasName && selector !== undefined
  return [
    ...(isTwofold ? [forbiddenValue(`${path}.name`, mutuallyExclusive)] : []),
    ...selectorErrors(selector as LabelSelector | undefined, `${path}.selector`),
    ...(isTwofold ? [forbiddenValue(`${path}.selector`, mutuallyExclusive)] : []),
    ...(hasName || selector !== undefined
      ? []
      : [required(path, 'one of name or selector must be specified')]),
    ...(textOf(action) === ''
      ? [required(`${path}.parameterNotFoundAction`, '')]
      : choiceErrors(`${path}.parameterNotFoundAction`, action, notFoundActions)),
  ]
}

function actionErrors(path: string, givenActions: unknown): FieldError[] {
  const actions = Array.isArray(givenActions) ? givenActions.map(String) : []
  const repeated = repeatedIndexes(actions)
  return [
    ...actions.flatMap((action, index) => [
      ...choiceErrors(`${path}[${index}]`, action, validationActions),
      ...(repeated.has(index) ? [duplicate(`${path}[${index}]`, action)] : []),
    ]),
    ...(actions.includes('Deny') && actions.includes('Warn')
      ? [invalidValue(path, actions, denyAndWarn)]
      : []),
    ...(actions.length === 0 ? [required(path, 'at least one validation action is required')] : []),
  ]
}

/** The rules of bindings of mutating policies. */
export const mutatingBindingRules: KindRules = {
  metadata: {
    generation: true,
    checksFinalizers: false,
  },
  validate: bindingErrors,
}

/** The rules of bindings of validating policies, which also have the actions after a denial. */
export const validatingBindingRules: KindRules = {
  ...mutatingBindingRules,
  validate: (object) => [
    ...bindingErrors(object),
    ...actionErrors('spec.validationActions', recordOf(object.spec).validationActions),
  ],
}
