import { jsonEqual } from '../../../sdk/engine/kube/json.js'
import type { OpenObject } from '../../base/object.js'
import type { KindRules } from '../../resources/kind-rules.js'
import { parseQuantity } from '../../schema/quantity.js'
import { type FieldError, invalidValue } from '../../validation/field-error.js'
import { checkSubdomainName } from '../../validation/names.js'
import { checkName } from '../../validation/values.js'
import { deprecatedNodeLabel } from '../pod-warnings/node-label-warnings.js'
import { type LabelSelector, selectorErrors, selectorInGo } from '../selector-errors.js'

interface Capacity {
  readonly nodeTopology?: LabelSelector
  readonly storageClassName?: string
  readonly capacity?: string
}

/** https://kubernetes.io/docs/concepts/storage/storage-capacity/ */
export const csiStorageCapacityRules: KindRules = {
  validate: capacityErrors,
  create: {
    warnings: topologyWarnings,
  },
  update: {
    needsVersion: true,
    validatesChangesLast: true,
    warnings: topologyWarnings,
    validate: changeErrors,
  },
}

/** Warns about renamed labels of nodes. */
function topologyWarnings({
  nodeTopology: { matchExpressions = [], matchLabels = {} } = {},
}: OpenObject & Capacity) {
  const labelWarnings = (field: string, key = '', prefix = '') => {
    const why = deprecatedNodeLabel(key)
    return why === undefined ? [] : [`nodeTopology.${field}: ${prefix}${why}`]
  }
  return [
    ...matchExpressions.flatMap(({ key }, index) =>
      labelWarnings(`matchExpressions[${index}].key`, key, `${key} is `),
    ),
    ...Object.keys(matchLabels).flatMap((key) => labelWarnings(`matchLabels.${key}`, key)),
  ]
}

/** `ValidateCSIStorageCapacity` of Kubernetes v1.36.3. */
function capacityErrors({
  nodeTopology,
  storageClassName = '',
  capacity,
}: OpenObject & Capacity): FieldError[] {
  const isNegative = capacity !== undefined && parseQuantity(capacity).nano < 0n
  return [
    ...(nodeTopology === undefined ? [] : selectorErrors(nodeTopology, 'nodeTopology')),
    ...checkName('storageClassName', storageClassName, checkSubdomainName),
    ...(isNegative ? [invalidValue('capacity', capacity, 'must be greater than or equal to 0')] : []),
  ]
}

/** The errors of changes to the immutable fields: the node topology and the storage class. */
function changeErrors(object: OpenObject & Capacity, old: OpenObject & Capacity): FieldError[] {
  const { nodeTopology: topology, storageClassName: name = '' } = object
  const topologyText = topology === undefined ? null : selectorInGo(topology)
  return [
    ...(jsonEqual(topology ?? null, old.nodeTopology ?? null)
      ? []
      : [invalidValue('nodeTopology', topologyText, 'field is immutable')]),
    ...(name === (old.storageClassName ?? '')
      ? []
      : [invalidValue('storageClassName', name, 'field is immutable')]),
  ]
}
