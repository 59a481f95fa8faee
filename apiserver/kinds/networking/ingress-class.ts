import type { OpenObject } from '../../base/object.js'
import { recordOf, textAt } from '../../base/object.js'
import type { KindRules } from '../../resources/kind-rules.js'
import {
  type FieldError,
  forbiddenValue,
  invalidValue,
  required,
  tooLong,
} from '../../validation/field-error.js'
import { checkLabelName, checkPathSegmentName, checkSubdomainName } from '../../validation/names.js'
import {
  checkName,
  checkOptionalChoice,
  checkRequiredName,
  domainPathErrors,
} from '../../validation/values.js'

interface Parameters {
  readonly apiGroup?: string | null
  readonly kind?: string
  readonly name?: string
  readonly scope?: string
  readonly namespace?: string
}

const maxController = 250

/** https://kubernetes.io/docs/concepts/services-networking/ingress/#ingress-class */
export const ingressClassRules: KindRules = {
  metadata: {
    generation: true,
  },
  validate: (object) => classErrors(object),
  update: {
    validate(object, old) {
      const controller = textAt(object, 'spec', 'controller')
      if (controller === textAt(old, 'spec', 'controller')) return []
      return [invalidValue('spec.controller', controller, 'field is immutable')]
    },
  },
}

/** `validateIngressClassSpec` of Kubernetes v1.36.3. */
function classErrors(object: OpenObject): FieldError[] {
  const controller = textAt(object, 'spec', 'controller')
  const { parameters } = recordOf(object.spec)
  return [
    ...(Buffer.byteLength(controller) > maxController ? [tooLong('spec.controller', maxController)] : []),
    ...domainPathErrors('spec.controller', controller),
    ...(parameters === undefined ? [] : parameterErrors(recordOf(parameters))),
  ]
}

function parameterErrors({ apiGroup, kind = '', name = '', scope, namespace }: Parameters): FieldError[] {
  const path = 'spec.parameters'
  const isGrouped = apiGroup !== undefined && apiGroup !== null
  return [
    ...(isGrouped ? checkName(`${path}.apiGroup`, apiGroup, checkSubdomainName) : []),
    ...checkRequiredName(`${path}.kind`, kind, checkPathSegmentName),
    ...checkRequiredName(`${path}.name`, name, checkPathSegmentName),
    ...checkOptionalChoice(`${path}.scope`, scope, ['Cluster', 'Namespace']),
    ...namespaceErrors(`${path}.namespace`, scope, namespace),
  ]
}

function namespaceErrors(
  field: string,
  scope: string | undefined,
  namespace: string | undefined,
): FieldError[] {
  const why = `\`parameters.scope\` is set to '${scope}'`
  if (scope === 'Cluster') return namespace === undefined ? [] : [forbiddenValue(field, why)]
  if (scope !== 'Namespace') return []
  return namespace === undefined ? [required(field, why)] : checkName(field, namespace, checkLabelName)
}
