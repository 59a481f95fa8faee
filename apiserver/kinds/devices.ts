import { jsonEqual } from '../../sdk/engine/kube/json.js'
import { fieldAt, type OpenObject, recordOf, textAt } from '../base/object.js'
import type { KindRules } from '../resources/kind-rules.js'
import { type FieldError, invalidValue, required } from '../validation/field-error.js'

/** The request for devices is immutable. */
function specChangeErrors(
  object: OpenObject,
  old: OpenObject | undefined,
  subresource?: string,
): FieldError[] {
  if (old === undefined || subresource === 'status' || jsonEqual(object.spec, old.spec)) return []
  return [invalidValue('spec', object.spec, 'field is immutable')]
}

/** https://kubernetes.io/docs/concepts/scheduling-eviction/dynamic-resource-allocation/ */
export const deviceClassRules: KindRules = {
  metadata: {
    generation: true,
  },
  delete: {
    returnsObject: true,
  },
}

/** A claim of devices; nothing allocates devices here. */
export const resourceClaimRules: KindRules = {
  validate: specChangeErrors,
  status: {
    keptMetadata: 'metadata',
  },
  delete: {
    returnsObject: true,
  },
}

/** A template from which each pod gets its own claim. */
export const resourceClaimTemplateRules: KindRules = {
  validate: specChangeErrors,
  delete: {
    returnsObject: true,
  },
}

const places = ['nodeName', 'nodeSelector', 'allNodes', 'perDeviceNodeSelection']

/** The devices of one or several nodes. */
export const resourceSliceRules: KindRules = {
  metadata: {
    generation: true,
  },
  read: {
    selectableFields: {
      'spec.driver': (object) => textAt(object, 'spec', 'driver'),
      'spec.nodeName': (object) => textAt(object, 'spec', 'nodeName'),
    },
    selectorError: (field) =>
      `field label not supported for resource.k8s.io/v1, Kind=ResourceSlice: ${field}`,
  },
  validate(object) {
    const count = Number(fieldAt(object, 'spec', 'pool', 'resourceSliceCount') ?? 0)
    const isPlaced = places.some((member) => Boolean(recordOf(object.spec)[member]))
    const choice = `exactly one of ${places.map((member) => `\`${member}\``).join(', ')} is required`
    return [
      ...(textAt(object, 'spec', 'driver') === '' ? [required('spec.driver', '')] : []),
      ...(textAt(object, 'spec', 'pool', 'name') === '' ? [required('spec.pool.name', '')] : []),
      ...(count > 0
        ? []
        : [invalidValue('spec.pool.resourceSliceCount', count, 'must be greater than zero')]),
      ...(isPlaced ? [] : [required('spec', choice)]),
    ]
  },
  delete: {
    returnsObject: true,
  },
}
