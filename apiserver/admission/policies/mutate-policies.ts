import { jsonEqual } from '../../../sdk/engine/kube/json.js'
import type { KubeObject } from '../../../sdk/engine/kube/object.js'
import { failure, forbidden } from '../../request/status.js'
import { whenConverted } from '../../resources/converter.js'
import type { Admission } from '../admission.js'
import { admissionRequest } from '../review.js'
import { expressionsOf, type PolicyInput } from './expressions.js'
import { matchedByPolicy } from './match-policy.js'
import { mutated } from './mutation.js'
import { PolicyProblem, paramsOf } from './params.js'
import { type Binding, type BoundPolicy, boundPolicies } from './policy.js'
import { conditionsHold, messageOf, namespaceOf } from './policy-conditions.js'

/** The result of the policies that are about a request. */
export interface PolicyMutations {
  /** The object that they made; absent if they changed nothing. */
  readonly object?: KubeObject
}

interface Invocation {
  readonly policy: BoundPolicy
  readonly binding: Binding
  readonly asked: Admission
}

/**
 * Applies the MutatingAdmissionPolicies one after the other, before the mutating webhooks. Undefined if none is about
 * the request. Throws 403 for an error, unless the policy ignores errors. `isAgain` applies only those that want to see
 * changes of webhooks. https://kubernetes.io/docs/reference/access-authn-authz/mutating-admission-policy/
 */
export async function mutateByPolicies(
  asked: Admission,
  isAgain = false,
): Promise<PolicyMutations | undefined> {
  if (asked.object === undefined || asked.read === undefined) return undefined
  let object = asked.object()
  let wasAsked = false
  for (const policy of boundPolicies(asked.request.server, 'mutating')) {
    if (isAgain && policy.spec.reinvocationPolicy !== 'IfNeeded') continue
    for (const binding of policy.bindings) {
      const current = object
      const made = await invoke({ policy, binding, asked: { ...asked, object: () => current } })
      if (made === undefined) continue
      wasAsked = true
      object = made
    }
  }
  if (!wasAsked) return undefined
  return jsonEqual(object, asked.object()) ? {} : { object: asked.read(object) }
}

/**
 * The object after all mutations of a policy, with each of its parameters; undefined if it is not about the request.
 */
async function invoke(invocation: Invocation): Promise<KubeObject | undefined> {
  const { policy, binding, asked } = invocation
  const { spec } = policy
  const matched = matchedByPolicy(spec.matchConstraints ?? {}, asked)
  const { matchResources, paramRef } = binding.spec
  if (matched === undefined) return undefined
  if (matchResources !== undefined && matchedByPolicy(matchResources, asked) === undefined) return undefined
  let object = asked.object?.()
  for (const param of attempt(
    invocation,
    () => paramsOf(spec, paramRef, asked),
    'failed to configure binding: ',
  ) ?? []) {
    const current = object
    if (current === undefined) return undefined
    const sent = await whenConverted(() => admissionRequest({ ...asked, object: () => current }, matched))
    object = applyAll(invocation, { sent, param, namespace: namespaceOf(asked) }, current)
  }
  return object
}

/** Applies the mutations in their order; each sees what the ones before it made. */
function applyAll(invocation: Invocation, input: PolicyInput, before: KubeObject): KubeObject {
  const { spec } = invocation.policy
  const { resource } = invocation.asked.request
  if (attempt(invocation, () => conditionsHold(spec, expressionsOf(spec, input))) !== true) return before
  return (spec.mutations ?? []).reduce((object, mutation) => {
    const run = expressionsOf(spec, { ...input, sent: { ...input.sent, object } })
    return attempt(invocation, () => mutated(object, mutation, { run, resource })) ?? object
  }, before)
}

/** Runs a step of a policy; an error is undefined if the policy ignores errors, else a 403. */
function attempt<Result>(
  { policy, binding, asked }: Invocation,
  step: () => Result,
  where = '',
): Result | undefined {
  try {
    return step()
  } catch (error) {
    if (!(error instanceof PolicyProblem)) throw error
    if (policy.spec.failurePolicy === 'Ignore') return undefined
    const why = `policy '${policy.name}' with binding '${binding.name}' denied request: ${where}${messageOf(error)}`
    const { details } = forbidden(asked.request.resource, asked.name, why).status
    // The reason of a denial is that of an invalid object, with the code of a forbidden one.
    throw failure(403, why, {
      reason: where === '' ? 'Invalid' : 'Forbidden',
      details: { ...details, causes: [{ message: why }] },
    })
  }
}
