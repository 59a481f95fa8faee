import { jsonEqual } from '../../../sdk/engine/kube/json.js'
import { fieldAt, type OpenObject, recordOf } from '../../base/object.js'
import type { KindRules } from '../../resources/kind-rules.js'
import { type FieldError, invalidValue, required } from '../../validation/field-error.js'
import { checkPathSegmentName, checkSubdomainName } from '../../validation/names.js'
import { strictAddressProblem } from '../../validation/strict-addresses.js'
import { checkName, checkRequiredName } from '../../validation/values.js'

interface Parent {
  readonly group?: string
  readonly resource?: string
  readonly namespace?: string
  readonly name?: string
}

const parentOf = (object: OpenObject): Parent | undefined => {
  const parent = fieldAt(object, 'spec', 'parentRef')
  return parent === undefined || parent === null ? undefined : recordOf(parent)
}

/** https://kubernetes.io/docs/reference/kubernetes-api/service-resources/ip-address-v1/ */
export const ipAddressRules: KindRules = {
  metadata: {
    name: strictAddressProblem,
  },
  validate: (object) => parentErrors(parentOf(object)),
  update: {
    validatesChangesLast: true,
    validate(object, old) {
      const parent = parentOf(object)
      if (jsonEqual(parent ?? null, parentOf(old) ?? null)) return []
      const parentText = parent === undefined ? null : parentInGo(parent)
      return [invalidValue('spec.parentRef', parentText, 'field is immutable')]
    },
  },
}

/** `validateIPAddressParentReference` of Kubernetes v1.36.3. */
function parentErrors(parent: Parent | undefined): FieldError[] {
  const path = 'spec.parentRef'
  if (parent === undefined) return [required(path, '')]
  const { group = '', resource = '', name = '', namespace = '' } = parent
  return [
    ...(group === '' ? [] : checkName(`${path}.group`, group, checkSubdomainName)),
    ...checkRequiredName(`${path}.resource`, resource, checkPathSegmentName),
    ...checkRequiredName(`${path}.name`, name, checkPathSegmentName),
    ...(namespace === '' ? [] : checkName(`${path}.namespace`, namespace, checkPathSegmentName)),
  ]
}

/** A reference as Go prints it without JSON names. */
function parentInGo({ group = '', resource = '', namespace = '', name = '' }: Parent): object {
  return { Group: group, Resource: resource, Namespace: namespace, Name: name }
}
