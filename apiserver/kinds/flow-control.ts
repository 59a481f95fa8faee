/** Priorities of requests; `pkg/apis/flowcontrol/validation/validation.go` of Kubernetes v1.36.3. */
import { fieldAt, type OpenObject, recordOf, textAt } from '../base/object.js'
import type { KindRules } from '../resources/kind-rules.js'
import {
  type FieldError,
  forbiddenValue,
  invalidValue,
  required,
  unsupported,
} from '../validation/field-error.js'
import { checkSubdomainName } from '../validation/names.js'
import { checkName } from '../validation/values.js'
import { limitedErrors, shareErrors } from './flow-limits.js'

const maxPrecedence = 10_000
const exemptName = 'exempt'

/**
 * The rules of FlowSchemas. They are only stored: this server queues no request. See
 * https://kubernetes.io/docs/concepts/cluster-administration/flow-control/
 */
export const flowSchemaRules: KindRules = {
  metadata: {
    generation: true,
  },
  validate: (object, _old, subresource) => (subresource === 'status' ? [] : flowErrors(object)),
  status: {
    keptMetadata: 'metadata',
  },
}

/** The errors of a FlowSchema, except those of its `spec.rules`, which are not validated. */
function flowErrors(object: OpenObject): FieldError[] {
  const level = textAt(object, 'spec', 'priorityLevelConfiguration', 'name')
  const field = 'spec.priorityLevelConfiguration.name'
  return [
    ...precedenceErrors(object),
    ...distinguisherErrors(object),
    ...(level === ''
      ? [required(field, 'must reference a priority level')]
      : checkName(field, level, checkSubdomainName)),
  ]
}

function precedenceErrors(object: OpenObject): FieldError[] {
  const value = Number(fieldAt(object, 'spec', 'matchingPrecedence') ?? 0)
  const refuse = (why: string) => [invalidValue('spec.matchingPrecedence', value, why)]
  if (value <= 0) return refuse('must be a positive value')
  if (value > maxPrecedence) return refuse(`must not be greater than ${maxPrecedence}`)
  if (value > 1 || object.metadata.name === exemptName) return []
  return refuse("only the schema named 'exempt' may have matchingPrecedence 1")
}

function distinguisherErrors(object: OpenObject): FieldError[] {
  const method = fieldAt(object, 'spec', 'distinguisherMethod')
  if (method === undefined || method === null) return []
  const type = textAt(method, 'type')
  const allowed = ['ByNamespace', 'ByUser']
  if (allowed.includes(type)) return []
  return [unsupported('spec.distinguisherMethod.type', JSON.stringify({ Type: type }), allowed)]
}

/** The rules of PriorityLevelConfigurations, which divide the capacity of a server. */
export const priorityLevelRules: KindRules = {
  metadata: {
    generation: true,
  },
  validate: (object, _old, subresource) => (subresource === 'status' ? [] : levelErrors(object)),
  status: {
    keptMetadata: 'metadata',
  },
}

function levelErrors(object: OpenObject): FieldError[] {
  const { limited, exempt } = recordOf(object.spec)
  const type = textAt(object, 'spec', 'type')
  const isNamed = object.metadata.name === exemptName
  const exemptRule = "must be 'Exempt' if and only if `name` is 'exempt'"
  const nameErrors = isNamed === (type === 'Exempt') ? [] : [invalidValue('spec.type', type, exemptRule)]
  const forbidField = (name: string, value: unknown, why: string) =>
    value === undefined ? [] : [forbiddenValue(`spec.${name}`, why)]
  switch (type) {
    case 'Exempt':
      return [
        ...nameErrors,
        ...forbidField('limited', limited, 'must be nil if the type is not Limited'),
        ...shareErrors(recordOf(exempt), 'spec.exempt'),
      ]
    case 'Limited':
      return [
        ...nameErrors,
        ...forbidField('exempt', exempt, 'must be nil if the type is Limited'),
        ...(limited === undefined
          ? [required('spec.limited', 'must not be empty when type is Limited')]
          : limitedErrors(recordOf(limited), 'spec.limited')),
      ]
    case '':
      return [...nameErrors, required('spec.type', '')]
    default:
      return [...nameErrors, unsupported('spec.type', JSON.stringify(type), ['Exempt', 'Limited'])]
  }
}
