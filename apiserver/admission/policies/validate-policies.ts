import type { ApiError } from '../../../sdk/engine/kube/error.js'
import { failure, forbidden } from '../../request/status.js'
import { whenConverted } from '../../resources/converter.js'
import type { ServedResource } from '../../resources/served-resource.js'
import type { AdmissionAttributes } from '../admission-attributes.js'
import { admissionRequest } from '../review/admission-request.js'
import { expressionsOf, type RunExpression } from './expressions.js'
import { matchedByPolicy } from './match-policy.js'
import { PolicyProblem, paramsOf } from './params.js'
import { type Binding, type BoundPolicy, boundPolicies, type PolicySpec, type Validation } from './policy.js'
import { conditionsHold, messageOf, namespaceOf } from './policy-conditions.js'

/** The reason why a policy does not allow a request. */
interface Denial {
  readonly message: string
  readonly reason: string
}

const invalid = 'Invalid'
const codes: Readonly<Record<string, number>> = {
  Forbidden: 403,
  Unauthorized: 401,
  RequestEntityTooLarge: 413,
}

/**
 * Evaluates all ValidatingAdmissionPolicies; returns whether any matches the request. Throws the error of the first
 * binding with the action `Deny` whose validations fail; the action `Warn` adds a warning to the response.
 * https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/
 */
export async function validatePolicies(attributes: AdmissionAttributes): Promise<boolean> {
  const denials: ApiError[] = []
  let hasMatched = false
  for (const policy of boundPolicies(attributes.request.server, 'validating')) {
    const matched = matchedByPolicy(policy.spec.matchConstraints ?? {}, attributes)
    if (matched === undefined) continue
    hasMatched = true
    for (const binding of policy.bindings) {
      for (const denial of await denialsOf(policy.spec, { binding, matched, attributes }))
        denials.push(...enforce(denial, { policy, binding, attributes }))
    }
  }
  const [first] = denials
  if (first !== undefined) throw first
  return hasMatched
}

/** A binding of a policy that matches a request. */
interface MatchedBinding {
  readonly binding: Binding
  readonly matched: ServedResource
  readonly attributes: AdmissionAttributes
}

/** The denials of one binding, over all its parameters. */
async function denialsOf(
  spec: PolicySpec,
  { binding, matched, attributes }: MatchedBinding,
): Promise<Denial[]> {
  const { matchResources, paramRef } = binding.spec
  if (matchResources !== undefined && matchedByPolicy(matchResources, attributes) === undefined) return []
  try {
    const params = paramsOf(spec, paramRef, attributes)
    const reviewRequest = await whenConverted(() => admissionRequest(attributes, matched))
    const namespace = namespaceOf(attributes)
    return params.flatMap((param) => check(spec, expressionsOf(spec, { reviewRequest, param, namespace })))
  } catch (error) {
    if (!(error instanceof PolicyProblem)) throw error
    return denialOfFailure(spec, `failed to configure binding: ${error.message}`)
  }
}

/** The denials of one binding and one parameter; none if the match conditions do not hold. */
function check(spec: PolicySpec, run: RunExpression): Denial[] {
  try {
    if (!conditionsHold(spec, run)) return []
  } catch (error) {
    return denialOfFailure(spec, messageOf(error))
  }
  return (spec.validations ?? []).flatMap((validation) => checkOne(spec, validation, run))
}

/** The denial of one validation, if its expression is not true. */
function checkOne(spec: PolicySpec, validation: Validation, run: RunExpression): Denial[] {
  try {
    if (run(validation.expression, { type: 'bool' }) === true) return []
  } catch (error) {
    return denialOfFailure(spec, messageOf(error))
  }
  return [{ message: messageFor(validation, run), reason: validation.reason ?? invalid }]
}

/** The text of `messageExpression` if it has one line, else the message, else the expression. */
function messageFor(
  { expression, message = '', messageExpression = '' }: Validation,
  run: RunExpression,
): string {
  const computed = messageExpression === '' ? '' : evaluateMessage(messageExpression, run)
  return computed || message.trim() || `failed expression: ${expression.trim()}`
}

const maxMessageBytes = 5 * 1024

function evaluateMessage(expression: string, run: RunExpression): string {
  try {
    const result = run(expression, { type: 'string' })
    const text = typeof result === 'string' ? result.trim() : ''
    return Buffer.byteLength(text) > maxMessageBytes || text.includes('\n') ? '' : text
  } catch {
    // The message of the validation is used instead, as a kube-apiserver does.
    return ''
  }
}

/** The denial for an error of a policy; empty if the policy ignores errors. */
function denialOfFailure({ failurePolicy = 'Fail' }: PolicySpec, message: string): Denial[] {
  return failurePolicy === 'Ignore' ? [] : [{ message, reason: '' }]
}

interface EnforcedBinding {
  readonly policy: BoundPolicy
  readonly binding: Binding
  readonly attributes: AdmissionAttributes
}

/** Handles a denial by the actions of its binding: adds a warning, and returns an error to throw. */
function enforce({ message, reason }: Denial, { policy, binding, attributes }: EnforcedBinding): ApiError[] {
  const { validationActions = [] } = binding.spec
  const { request, name } = attributes
  const policyText = `ValidatingAdmissionPolicy '${policy.name}' with binding '${binding.name}'`
  if (validationActions.includes('Warn'))
    request.warnings.push(`Validation failed for ${policyText}: ${message}`)
  if (!validationActions.includes('Deny')) return []
  const why = `${policyText} denied request: ${message}`
  const { message: text, details } = forbidden(request.resource, name, why).status
  const options = { reason: reason || invalid, details: { ...details, causes: [{ message: why }] } }
  return [failure(codes[reason] ?? 422, text ?? why, options)]
}
