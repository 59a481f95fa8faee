import type { KubeObject } from '../../sdk/engine/kube/object.js'
import { fieldAt, type OpenObject, textAt } from '../base/object.js'
import { claimProtection, volumeProtection } from '../kinds/volumes.js'
import type { ServerParts } from '../server/context.js'
import type { Change, Entry } from '../store/entry.js'
import { replaceObject } from '../verbs/update.js'
import { internalRequest } from './internal-request.js'

const claims = 'persistentvolumeclaims'
const volumeStorage = 'persistentvolumes'

/** Whether a change may end the use of a claim or volume: a pod is gone or shut down, or it is being deleted. */
export function freesVolumes(storage: string, { type, entry }: Change): boolean {
  if (storage === 'pods') return type === 'DELETED' || isShutDown(entry.object)
  return (
    (storage === claims || storage === volumeStorage) && entry.object.metadata.deletionTimestamp !== undefined
  )
}

/**
 * Removes the finalizers of claims and volumes that are being deleted and not in use:
 * https://kubernetes.io/docs/concepts/storage/persistent-volumes/ , "Storage Object in Use Protection".
 */
export function freeVolumes(server: ServerParts, namespace: string): void {
  const prefix = namespace === '' ? '' : `${namespace}/`
  const [storage, finalizer] =
    namespace === '' ? [volumeStorage, volumeProtection] : [claims, claimProtection]
  for (const entry of [...server.store.collection(storage).scan(prefix)]) {
    const { deletionTimestamp, finalizers = [] } = entry.object.metadata
    if (deletionTimestamp === undefined || !finalizers.includes(finalizer) || isUsed(server, entry)) continue
    removeProtection(server, storage, entry)
  }
}

function isUsed(server: ServerParts, { object }: Entry): boolean {
  const { namespace = '' } = object.metadata
  if (namespace === '') return textAt(object, 'status', 'phase') === 'Bound'
  return [...server.store.collection('pods').scan(`${namespace}/`)].some((pod) => mounts(pod, object))
}

/** Whether a pod mounts a claim. A pod without a node mounts nothing yet. */
function mounts({ object: pod }: Entry, claim: KubeObject): boolean {
  const volumes = fieldAt(pod, 'spec', 'volumes')
  if (textAt(pod, 'spec', 'nodeName') === '' || !Array.isArray(volumes)) return false
  const { name = '' } = claim.metadata
  const hasOwnClaims = !isShutDown(pod) && isControlledBy(claim, pod)
  return volumes.some(
    (volume) =>
      textAt(volume, 'persistentVolumeClaim', 'claimName') === name ||
      (hasOwnClaims &&
        fieldAt(volume, 'ephemeral') !== undefined &&
        `${pod.metadata.name}-${textAt(volume, 'name')}` === name),
  )
}

/** Whether the kubelet is done with a pod that is being deleted. */
const isShutDown = ({ metadata }: KubeObject) =>
  metadata.deletionTimestamp !== undefined && metadata.deletionGracePeriodSeconds === 0

function isControlledBy({ metadata }: KubeObject, { metadata: { uid } }: KubeObject): boolean {
  return metadata.ownerReferences?.some((owner) => owner.controller === true && owner.uid === uid) === true
}

function removeProtection(server: ServerParts, plural: string, old: Entry): void {
  const resource = server.registry.find('', 'v1', plural)
  if (resource === undefined) return
  const { metadata } = old.object
  const { namespace = '', name = '', finalizers = [] } = metadata
  const keptFinalizers = finalizers.filter((each) => each !== claimProtection && each !== volumeProtection)
  const next = { ...old.object, metadata: { ...metadata, finalizers: keptFinalizers } } as OpenObject
  replaceObject(internalRequest(server, { resource, namespace, name }), { old, next, dryRun: false })
}
