import { fieldAt, type OpenObject, textAt } from '../../base/object.js'
import { parseQuantity, type Quantity } from '../../schema/quantity.js'
import { type Amounts, ONE } from './amounts.js'
import type { Evaluator } from './evaluator.js'
import { isSelected } from './pod-scopes.js'

const COUNT = 'count/persistentvolumeclaims'
const CLAIMS = 'persistentvolumeclaims'
const STORAGE = 'requests.storage'
const OF_CLASS = '.storageclass.storage.k8s.io/'
const STORAGE_CLASS = 'volume.beta.kubernetes.io/storage-class'

/**
 * Counts claims and the storage that they request, also by class; `persistent_volume_claims.go` of Kubernetes v1.36.3.
 */
export const claimEvaluator: Evaluator = {
  handles: ({ request: { target } }) => target.subresource === '',
  matching: (names) => names.filter(isAboutClaims),
  usage(claim) {
    const used: Amounts = { [CLAIMS]: ONE, [STORAGE]: storageOf(claim) }
    const name = claim.metadata.annotations?.[STORAGE_CLASS] ?? textAt(claim, 'spec', 'storageClassName')
    const ofClass = Object.entries(used).map(([what, amount]) => [`${name}${OF_CLASS}${what}`, amount])
    return { [COUNT]: ONE, ...used, ...(name === '' ? {} : Object.fromEntries(ofClass)) }
  },
  isInScope(selector, claim) {
    if (selector.scopeName !== 'VolumeAttributesClass') return false
    return isSelected(selector, textAt(claim, 'spec', 'volumeAttributesClassName'))
  },
}

function isAboutClaims(name: string): boolean {
  return (
    [COUNT, CLAIMS, STORAGE].includes(name) ||
    name.endsWith(OF_CLASS + CLAIMS) ||
    name.endsWith(OF_CLASS + STORAGE)
  )
}

/** The requested size, or the allocated one if that is larger. */
function storageOf(claim: OpenObject): Quantity {
  const [asked, given] = [
    quantity(fieldAt(claim, 'spec', 'resources', 'requests', 'storage')),
    quantity(fieldAt(claim, 'status', 'allocatedResources', 'storage')),
  ]
  return given.nano > asked.nano ? given : asked
}

const quantity = (text: unknown) => parseQuantity(typeof text === 'string' ? text : '0')
