import { fieldAt, type OpenObject, textAt } from '../../base/object.js'
import { parseQuantity, type Quantity } from '../../schema/quantity.js'
import { type Amounts, one } from './amounts.js'
import type { Evaluator } from './evaluator.js'
import { isSelected } from './pod-scopes.js'

const count = 'count/persistentvolumeclaims'
const claims = 'persistentvolumeclaims'
const storage = 'requests.storage'
const storageClassInfix = '.storageclass.storage.k8s.io/'
const storageClass = 'volume.beta.kubernetes.io/storage-class'

/**
 * Counts claims and the storage that they request, also by class; `persistent_volume_claims.go` of Kubernetes v1.36.3.
 */
export const claimEvaluator: Evaluator = {
  handles: ({ request: { target } }) => target.subresource === '',
  matching: (names) => names.filter(isAboutClaims),
  usage(claim) {
    const used: Amounts = { [claims]: one, [storage]: storageOf(claim) }
    const name = claim.metadata.annotations?.[storageClass] ?? textAt(claim, 'spec', 'storageClassName')
    const ofClass = Object.entries(used).map(([resourceName, amount]) => [
      `${name}${storageClassInfix}${resourceName}`,
      amount,
    ])
    return { [count]: one, ...used, ...(name === '' ? {} : Object.fromEntries(ofClass)) }
  },
  isInScope(selector, claim) {
    if (selector.scopeName !== 'VolumeAttributesClass') return false
    return isSelected(selector, textAt(claim, 'spec', 'volumeAttributesClassName'))
  },
}

function isAboutClaims(name: string): boolean {
  return (
    [count, claims, storage].includes(name) ||
    name.endsWith(storageClassInfix + claims) ||
    name.endsWith(storageClassInfix + storage)
  )
}

/** The requested size, or the allocated one if that is larger. */
function storageOf(claim: OpenObject): Quantity {
  const [requested, provided] = [
    quantity(fieldAt(claim, 'spec', 'resources', 'requests', 'storage')),
    quantity(fieldAt(claim, 'status', 'allocatedResources', 'storage')),
  ]
  return provided.nano > requested.nano ? provided : requested
}

const quantity = (text: unknown) => parseQuantity(typeof text === 'string' ? text : '0')
