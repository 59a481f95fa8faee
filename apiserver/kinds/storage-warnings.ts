import { fieldAt, type OpenObject, recordOf, textAt } from '../base/object.js'
import { deprecatedNodeLabel, fractionalBytes } from './pod-warnings.js'

const CLASS_ANNOTATION = 'volume.beta.kubernetes.io/storage-class'

/** The warnings for a created claim; `pkg/api/persistentvolumeclaim/util.go` of Kubernetes v1.36.3. */
export function claimWarnings(claim: OpenObject): string[] {
  const { requests, limits } = recordOf(fieldAt(claim, 'spec', 'resources'))
  return [
    ...classWarning(claim),
    ...fractionalBytes('spec.resources.requests[storage]', recordOf(requests).storage),
    ...fractionalBytes('spec.resources.limits[storage]', recordOf(limits).storage),
  ]
}

/** The warnings for a volume; `pkg/api/persistentvolume/util.go`. */
export function volumeWarnings(volume: OpenObject): string[] {
  const recycles = textAt(volume, 'spec', 'persistentVolumeReclaimPolicy') === 'Recycle'
  const advice =
    'The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.'
  return [...classWarning(volume), ...(recycles ? [`spec.persistentVolumeReclaimPolicy: ${advice}`] : [])]
}

function classWarning({ metadata }: OpenObject): string[] {
  if (metadata.annotations?.[CLASS_ANNOTATION] === undefined) return []
  const advice = 'deprecated since v1.8; use "storageClassName" attribute instead'
  return [`metadata.annotations[${CLASS_ANNOTATION}]: ${advice}`]
}

/** The warnings for a storage class; `pkg/api/storage/util.go`. */
export function storageClassWarnings({ allowedTopologies }: OpenObject): string[] {
  const terms = Array.isArray(allowedTopologies) ? allowedTopologies : []
  return terms.flatMap((term, at) => {
    const expressions = recordOf(term).matchLabelExpressions
    if (!Array.isArray(expressions)) return []
    return expressions.flatMap((expression, index) => {
      const why = deprecatedNodeLabel(textAt(expression, 'key'))
      const path = `allowedTopologies[${at}].matchLabelExpressions[${index}].key`
      return why === undefined ? [] : [`${path}: ${why}`]
    })
  })
}
