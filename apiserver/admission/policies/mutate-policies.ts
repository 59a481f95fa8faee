import { jsonEqual } from '../../../sdk/engine/kube/json.js'
import type { KubeObject } from '../../../sdk/engine/kube/object.js'
import { failure, forbidden } from '../../request/status.js'
import { whenConverted } from '../../resources/converter.js'
import type { AdmissionAttributes } from '../admission-attributes.js'
import { admissionRequest } from '../review/admission-request.js'
import { applyMutation } from './apply-mutation.js'
import { expressionsOf, type PolicyInput } from './expressions.js'
import { matchedByPolicy } from './match-policy.js'
import { PolicyProblem, paramsOf } from './params.js'
import { type Binding, type BoundPolicy, boundPolicies } from './policy.js'
import { conditionsHold, messageOf, namespaceOf } from './policy-conditions.js'

/** The result of the policies that match a request. */
export interface PolicyMutations {
  /** The mutated object; absent if they changed nothing. */
  readonly object?: KubeObject
}

interface Invocation {
  readonly policy: BoundPolicy
  readonly binding: Binding
  readonly attributes: AdmissionAttributes
}

/**
 * Applies the MutatingAdmissionPolicies one after the other, before the mutating webhooks. Undefined if none matches
 * the request. Throws 403 for an error, unless the policy ignores errors. `isReinvocation` applies only those with the
 * `reinvocationPolicy` `IfNeeded`, after webhooks have changed the object.
 * https://kubernetes.io/docs/reference/access-authn-authz/mutating-admission-policy/
 */
export async function mutateByPolicies(
  attributes: AdmissionAttributes,
  isReinvocation = false,
): Promise<PolicyMutations | undefined> {
  if (attributes.object === undefined || attributes.read === undefined) return undefined
  let object = attributes.object()
  let hasMatched = false
  for (const policy of boundPolicies(attributes.request.server, 'mutating')) {
    if (isReinvocation && policy.spec.reinvocationPolicy !== 'IfNeeded') continue
    for (const binding of policy.bindings) {
      const current = object
      const changed = await invoke({ policy, binding, attributes: { ...attributes, object: () => current } })
      if (changed === undefined) continue
      hasMatched = true
      object = changed
    }
  }
  if (!hasMatched) return undefined
  return jsonEqual(object, attributes.object()) ? {} : { object: attributes.read(object) }
}

/**
 * The object after all mutations of a policy, with each of its parameters; undefined if the policy does not match.
 */
async function invoke(invocation: Invocation): Promise<KubeObject | undefined> {
  const { policy, binding, attributes } = invocation
  const { spec } = policy
  const matched = matchedByPolicy(spec.matchConstraints ?? {}, attributes)
  const { matchResources, paramRef } = binding.spec
  if (matched === undefined) return undefined
  if (matchResources !== undefined && matchedByPolicy(matchResources, attributes) === undefined)
    return undefined
  let object = attributes.object?.()
  for (const param of runStep(
    invocation,
    () => paramsOf(spec, paramRef, attributes),
    'failed to configure binding: ',
  ) ?? []) {
    const current = object
    if (current === undefined) return undefined
    const reviewRequest = await whenConverted(() =>
      admissionRequest({ ...attributes, object: () => current }, matched),
    )
    object = applyAll(invocation, { reviewRequest, param, namespace: namespaceOf(attributes) }, current)
  }
  return object
}

/** Applies the mutations in their order, each to the result of the previous one, if the match conditions hold. */
function applyAll(invocation: Invocation, input: PolicyInput, before: KubeObject): KubeObject {
  const { spec } = invocation.policy
  const { resource } = invocation.attributes.request
  if (runStep(invocation, () => conditionsHold(spec, expressionsOf(spec, input))) !== true) return before
  return (spec.mutations ?? []).reduce((object, mutation) => {
    const run = expressionsOf(spec, { ...input, reviewRequest: { ...input.reviewRequest, object } })
    return runStep(invocation, () => applyMutation(object, mutation, { run, resource })) ?? object
  }, before)
}

/** Runs a step of a policy. Throws 403 for an error, or returns undefined if the policy ignores errors. */
function runStep<Result>(
  { policy, binding, attributes }: Invocation,
  step: () => Result,
  where = '',
): Result | undefined {
  try {
    return step()
  } catch (error) {
    if (!(error instanceof PolicyProblem)) throw error
    if (policy.spec.failurePolicy === 'Ignore') return undefined
    const why = `policy '${policy.name}' with binding '${binding.name}' denied request: ${where}${messageOf(error)}`
    const { details } = forbidden(attributes.request.resource, attributes.name, why).status
    // The reason of a denial is that of an invalid object, with the code of a forbidden one.
    throw failure(403, why, {
      reason: where === '' ? 'Invalid' : 'Forbidden',
      details: { ...details, causes: [{ message: why }] },
    })
  }
}
