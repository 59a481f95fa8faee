import { type OpenObject, recordOf } from '../../base/object.js'
import type { KindRules } from '../../resources/kind-rules.js'
import { type FieldError, invalidValue, required } from '../../validation/field-error.js'
import { checkQualified } from '../../validation/values.js'
import {
  choiceErrors,
  expressionErrors,
  listOf,
  type Members,
  policyErrors,
  textOf,
} from './policy-errors.js'

const reasons = ['Forbidden', 'Invalid', 'RequestEntityTooLarge', 'Unauthorized']
const oneOfBoth = 'validations or auditAnnotations must contain at least one item'

function validatingPolicyErrors(object: OpenObject): FieldError[] {
  const spec = recordOf(object.spec)
  const validations = listOf(spec.validations)
  if (validations.length + listOf(spec.auditAnnotations).length === 0) {
    const missingErrors = ['spec.validations', 'spec.auditAnnotations'].map((path) =>
      required(path, oneOfBoth),
    )
    return [...policyErrors(object), ...missingErrors]
  }
  const ownErrors = validations.flatMap((each, index) =>
    validationErrors(`spec.validations[${index}]`, each, spec),
  )
  const annotations = listOf(spec.auditAnnotations).flatMap((each, index) =>
    annotationErrors(`spec.auditAnnotations[${index}]`, each, { object, spec }),
  )
  return [...policyErrors(object), ...ownErrors, ...annotations]
}

/** `validateAuditAnnotation`: the name of the policy is part of the key. */
function annotationErrors(
  path: string,
  { key, valueExpression }: Members,
  { object, spec }: { readonly object: OpenObject; readonly spec: Members },
): FieldError[] {
  const { name = '' } = object.metadata
  const expression = textOf(valueExpression)
  return [
    ...(name === ''
      ? [invalidValue(`${path}.key`, textOf(key), 'requires metadata.name be non-empty')]
      : checkQualified(`${path}.key`, `${name}/${textOf(key)}`)),
    ...(expression.trim() === ''
      ? [required(`${path}.valueExpression`, 'valueExpression is not specified')]
      : expressionErrors(`${path}.valueExpression`, expression, { spec, types: ['string', 'null_type'] })),
  ]
}

function validationErrors(path: string, validation: Members, spec: Members): FieldError[] {
  const [expression, message] = [textOf(validation.expression), textOf(validation.message)]
  const messageExpression = textOf(validation.messageExpression)
  return [
    ...(expression.trim() === ''
      ? [required(`${path}.expression`, 'expression is not specified')]
      : expressionErrors(`${path}.expression`, expression, { spec, types: ['bool'] })),
    ...(messageExpression !== '' && messageExpression.trim() === ''
      ? [invalidValue(`${path}.messageExpression`, messageExpression, 'must be non-empty if specified')]
      : []),
    ...(messageExpression.trim() === ''
      ? []
      : expressionErrors(`${path}.messageExpression`, messageExpression, { spec, types: ['string'] })),
    ...messageErrors(`${path}.message`, message),
    ...(validation.reason === undefined ? [] : choiceErrors(`${path}.reason`, validation.reason, reasons)),
  ]
}

function messageErrors(path: string, message: string): FieldError[] {
  if (message !== '' && message.trim() === '')
    return [invalidValue(path, message, 'must be non-empty if specified')]
  return /[\n\r]/.test(message.trim()) ? [invalidValue(path, message, 'must not contain line breaks')] : []
}

/** https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/ */
export const validatingPolicyRules: KindRules = {
  metadata: {
    generation: true,
    checksFinalizers: false,
  },
  validate: (object, _old, subresource) => (subresource === 'status' ? [] : validatingPolicyErrors(object)),
  status: {
    keptMetadata: 'metadata',
    allowsCreate: true,
  },
}
