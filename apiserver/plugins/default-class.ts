import { type OpenObject, recordOf } from '../base/object.js'
import type { AdmissionPlugin } from './plugin.js'

const ingressClass = 'kubernetes.io/ingress.class'
const storageClass = 'volume.beta.kubernetes.io/storage-class'

/** `DefaultStorageClass`: the storage class of claims that name none. */
export const defaultStorageClass: AdmissionPlugin = {
  storages: ['persistentvolumeclaims'],
  mutate({ request: { server }, object }) {
    const spec = recordOf(object.spec)
    if (spec.storageClassName !== undefined || object.metadata.annotations?.[storageClass] !== undefined)
      return
    const isDefault = ({ metadata: { annotations = {} } }: OpenObject) =>
      annotations['storageclass.kubernetes.io/is-default-class'] === 'true' ||
      annotations['storageclass.beta.kubernetes.io/is-default-class'] === 'true'
    const name = newest([...server.all('storageclasses.storage.k8s.io')].filter(isDefault))
    if (name !== undefined) object.spec = { ...spec, storageClassName: name }
  },
}

/** `DefaultIngressClass`: the class of Ingresses that name none. */
export const defaultIngressClass: AdmissionPlugin = {
  storages: ['ingresses.networking.k8s.io'],
  mutate({ request: { server }, object }) {
    const spec = recordOf(object.spec)
    if (spec.ingressClassName !== undefined || object.metadata.annotations?.[ingressClass] !== undefined)
      return
    const isDefault = ({ metadata }: OpenObject) =>
      metadata.annotations?.['ingressclass.kubernetes.io/is-default-class'] === 'true'
    const name = newest([...server.all('ingressclasses.networking.k8s.io')].filter(isDefault))
    if (name !== undefined) object.spec = { ...spec, ingressClassName: name }
  },
}

/** The name of the newest object; the first by name of several that are equally new. */
function newest(classes: readonly OpenObject[]): string | undefined {
  const timeOf = ({ metadata }: OpenObject) => String(metadata.creationTimestamp ?? '')
  const nameOf = ({ metadata }: OpenObject) => metadata.name ?? ''
  const sorted = [...classes].sort((a, b) => compare(timeOf(b), timeOf(a)) || compare(nameOf(a), nameOf(b)))
  return sorted[0]?.metadata.name
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
