import { type OpenObject, textAt } from '../../base/object.js'
import { type Condition, hasCondition, withCondition } from './conditions.js'

const approvalAnnotation = 'api-approved.kubernetes.io'
const protectedGroup = /(?:^|\.)(?:k8s|kubernetes)\.io$/
const proposal = 'see https://github.com/kubernetes/enhancements/pull/1111'

/** The definition with the condition about its API review, if its group is protected; itself if nothing changes. */
export function withApproval(definition: OpenObject, time: string): OpenObject {
  if (!protectedGroup.test(textAt(definition, 'spec', 'group'))) return definition
  const condition = approvalOf(definition.metadata.annotations?.[approvalAnnotation] ?? '')
  return hasCondition(definition, condition) ? definition : withCondition(definition, condition, time)
}

/** `GetAPIApprovalState` of k8s.io/apiextensions-apiserver v0.36.3. */
function approvalOf(annotation: string): Condition {
  const state = (status: Condition['status'], reason: string, message: string): Condition => ({
    type: 'KubernetesAPIApprovalPolicyConformant',
    status,
    reason,
    message,
  })
  const needs = `protected groups must have approval annotation "${approvalAnnotation}"`
  if (annotation === '') return state('False', 'MissingAnnotation', `${needs}, ${proposal}`)
  if (annotation.startsWith('unapproved'))
    return state('False', 'UnapprovedAnnotation', `not approved: ${JSON.stringify(annotation)}`)
  if (/^[a-zA-Z][a-zA-Z0-9+.-]*:\/\/[^/\s]+/.test(annotation))
    return state('True', 'ApprovedAnnotation', `approved in ${annotation}`)
  const why = `${needs} with either a URL or a reason starting with "unapproved", ${proposal}`
  return state('False', 'InvalidAnnotation', why)
}
