import type { ParseResult } from '@marcbachmann/cel-js'
import { celValue } from '../../custom/cel/cel-value.js'
import { runtimeErrorText } from '../../custom/cel/error-texts.js'
import { compileCondition } from '../../custom/cel/match-condition.js'
import { forbidden } from '../../request/status.js'
import type { AdmissionAttributes } from '../admission-attributes.js'
import type { MatchCondition, Webhook } from '../matching/webhook.js'
import type { AdmissionRequest } from '../review/admission-request.js'

const programs = new WeakMap<MatchCondition, ParseResult | string>()

/** The program of a stored condition, compiled once, or its error. */
function programOf(condition: MatchCondition): ParseResult | string {
  const existing = programs.get(condition)
  if (existing !== undefined) return existing
  const compiled = compileCondition(condition.expression)
  const programOrProblem = 'problem' in compiled ? compiled.problem : compiled.program
  programs.set(condition, programOrProblem)
  return programOrProblem
}

/**
 * Whether all match conditions of a webhook hold. One that does not hold decides. Otherwise an error of an expression
 * follows the failure policy: it is a 403, or the webhook is not called. `matcher.go` of k8s.io/apiserver v0.36.3.
 */
export function conditionsHold(
  webhook: Webhook,
  reviewRequest: AdmissionRequest,
  { request, name }: AdmissionAttributes,
): boolean {
  const { matchConditions = [] } = webhook
  if (matchConditions.length === 0) return true
  const { object, oldObject, ...otherMembers } = reviewRequest
  const variables = {
    object: celValue(object),
    oldObject: celValue(oldObject),
    request: celValue({ ...otherMembers, object, oldObject }),
  }
  const results = matchConditions.map((condition) => evaluate(condition, variables))
  if (results.includes(false)) return false
  const errors = results.filter((result) => typeof result === 'string')
  if (errors.length === 0) return true
  if (webhook.failurePolicy === 'Ignore') return false
  throw forbidden(request.resource, name, errors.length === 1 ? String(errors[0]) : `[${errors.join(', ')}]`)
}

function evaluate(condition: MatchCondition, variables: Record<string, unknown>): boolean | string {
  const program = programOf(condition)
  if (typeof program === 'string') return program
  try {
    return program(variables) === true
  } catch (error) {
    return `expression '${condition.expression}' resulted in error: ${runtimeErrorText(error)}`
  }
}
