import { type OpenObject, recordOf } from '../../base/object.js'
import { ownEntry } from '../../base/own-entry.js'
import type { KindRules } from '../../resources/kind-rules.js'
import { type FieldError, invalidValue, required, unsupported } from '../../validation/field-error.js'
import {
  choiceErrors,
  expressionErrors,
  listOf,
  type Members,
  policyErrors,
  textOf,
} from './policy-errors.js'

const mutatingOperations = ['*', 'CONNECT', 'CREATE', 'UPDATE']
const reinvocation = ['IfNeeded', 'Never']
/** The member with the expression of each type of mutation. */
const members: Readonly<Record<string, string>> = {
  ApplyConfiguration: 'applyConfiguration',
  JSONPatch: 'jsonPatch',
}

/** `validateMutatingAdmissionPolicySpec` of Kubernetes v1.36.3. */
function mutatingPolicyErrors(object: OpenObject): FieldError[] {
  const spec = recordOf(object.spec)
  const mutations = listOf(spec.mutations)
  const policy = textOf(spec.reinvocationPolicy)
  return [
    ...policyErrors(object),
    ...operationErrors(recordOf(spec.matchConstraints)),
    ...(mutations.length === 0
      ? [required('spec.mutations', 'mutations must contain at least one item')]
      : mutations.flatMap((mutation, index) => mutationErrors(`spec.mutations[${index}]`, mutation, spec))),
    ...(policy === ''
      ? [required('spec.reinvocationPolicy', '')]
      : choiceErrors('spec.reinvocationPolicy', policy, reinvocation)),
  ]
}

/** A delete has no object that can change. */
function operationErrors({ resourceRules }: Members): FieldError[] {
  const operations = listOf(resourceRules).flatMap((rule) =>
    Array.isArray(rule.operations) ? rule.operations : [],
  )
  return operations
    .filter((operation) => !mutatingOperations.includes(String(operation)))
    .map((operation) =>
      unsupported(
        'spec.matchConstraints.resourceRules.operations',
        JSON.stringify(operation),
        mutatingOperations,
      ),
    )
}

function mutationErrors(path: string, mutation: Members, spec: Members): FieldError[] {
  const patchType = textOf(mutation.patchType)
  if (patchType === '') return [required(`${path}.patchType`, '')]
  const member = ownEntry(members, patchType)
  if (member === undefined)
    return [unsupported(`${path}.patchType`, JSON.stringify(patchType), Object.keys(members))]
  const others = Object.values(members).filter((other) => other !== member && mutation[other] !== undefined)
  const why = `must not be specified when patchType is ${patchType}`
  return [
    ...(mutation[member] === undefined
      ? [required(`${path}.${member}`, `must be specified when patchType is ${patchType}`)]
      : bodyErrors(
          `${path}.${member}.expression`,
          textOf(recordOf(mutation[member]).expression).trim(),
          spec,
        )),
    ...others.map((other) => invalidValue(`${path}.${other}`, `{${other}}`, why)),
  ]
}

function bodyErrors(path: string, expression: string, spec: Members): FieldError[] {
  return expression === ''
    ? [required(path, '')]
    : expressionErrors(path, expression, { spec, isMutation: true })
}

/** https://kubernetes.io/docs/reference/access-authn-authz/mutating-admission-policy/ */
export const mutatingPolicyRules: KindRules = {
  metadata: {
    generation: true,
    checksFinalizers: false,
  },
  validate: mutatingPolicyErrors,
}
