import { fieldAt, type OpenObject, textAt } from '../base/object.js'
import { forbidden } from '../request/status.js'
import { parseQuantity } from '../schema/quantity.js'
import type { AdmissionPlugin } from './plugin.js'

const storageClassAnnotation = 'volume.beta.kubernetes.io/storage-class'
const notBound = 'Only bound persistent volume claims can be expanded'
const notExpandable =
  'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize'

/** `PersistentVolumeClaimResize`: only bound claims of a class that allows it can grow. */
export const claimResize: AdmissionPlugin = {
  storages: ['persistentvolumeclaims'],
  validate({ request: { resource, target, server }, object, old }) {
    if (target.subresource !== '' || old === undefined) return
    if (sizeOf(object) <= sizeOf(old)) return
    if (textAt(old, 'status', 'phase') !== 'Bound') throw forbidden(resource, target.name, notBound)
    const [name, before] = [classOf(object), classOf(old)]
    const storageClass = server.find('storageclasses.storage.k8s.io', '', name)
    const isAllowed = name !== '' && name === before && storageClass?.allowVolumeExpansion === true
    if (!isAllowed) throw forbidden(resource, target.name, notExpandable)
  },
}

function sizeOf(claim: OpenObject): bigint {
  const size = fieldAt(claim, 'spec', 'resources', 'requests', 'storage')
  return typeof size === 'string' ? parseQuantity(size).nano : 0n
}

const classOf = (claim: OpenObject) =>
  claim.metadata.annotations?.[storageClassAnnotation] ?? textAt(claim, 'spec', 'storageClassName')
