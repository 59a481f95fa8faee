import { fieldAt, type OpenObject, recordOf, textAt } from '../base/object.js'
import { deprecatedNodeLabel, listAt, nodeTermWarnings } from './pod-warnings/node-label-warnings.js'
import { persistentSourceWarnings, storageWarnings } from './pod-warnings/volume-warnings.js'

const classAnnotation = 'volume.beta.kubernetes.io/storage-class'
const optionsAnnotation = 'volume.beta.kubernetes.io/mount-options'

/** The warnings for a claim; `pkg/api/persistentvolumeclaim/util.go` of Kubernetes v1.36.3. */
export function claimWarnings(claim: OpenObject): string[] {
  return [...classAnnotationWarning(claim), ...storageWarnings(fieldAt(claim, 'spec', 'resources'), 'spec')]
}

/** The warnings for a volume; `pkg/api/persistentvolume/util.go`. */
export function volumeWarnings(volume: OpenObject): string[] {
  const spec = recordOf(volume.spec)
  const terms = listAt(volume, 'spec', 'nodeAffinity', 'required', 'nodeSelectorTerms')
  const advice =
    'The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.'
  return [
    ...classAnnotationWarning(volume),
    ...annotationWarning(
      volume,
      optionsAnnotation,
      'deprecated since v1.31; use "mountOptions" attribute instead',
    ),
    ...(spec.persistentVolumeReclaimPolicy === 'Recycle'
      ? [`spec.persistentVolumeReclaimPolicy: ${advice}`]
      : []),
    ...terms.flatMap((term, index) =>
      nodeTermWarnings(term, `spec.nodeAffinity.required.nodeSelectorTerms[${index}]`),
    ),
    ...persistentSourceWarnings(spec, 'spec'),
  ]
}

function classAnnotationWarning(object: OpenObject): string[] {
  return annotationWarning(
    object,
    classAnnotation,
    'deprecated since v1.8; use "storageClassName" attribute instead',
  )
}

function annotationWarning({ metadata }: OpenObject, name: string, why: string): string[] {
  return metadata.annotations?.[name] === undefined ? [] : [`metadata.annotations[${name}]: ${why}`]
}

/** The warnings for a storage class; `pkg/api/storage/util.go`. */
export function storageClassWarnings({ allowedTopologies }: OpenObject): string[] {
  const terms = Array.isArray(allowedTopologies) ? allowedTopologies : []
  return terms.flatMap((term, position) => {
    const expressions = recordOf(term).matchLabelExpressions
    if (!Array.isArray(expressions)) return []
    return expressions.flatMap((expression, index) => {
      const why = deprecatedNodeLabel(textAt(expression, 'key'))
      const path = `allowedTopologies[${position}].matchLabelExpressions[${index}].key`
      return why === undefined ? [] : [`${path}: ${why}`]
    })
  })
}
