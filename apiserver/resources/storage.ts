import { type ApiGroup, status } from './built-in.js'

/** The resources of `storage.k8s.io`. */
export const storage: ApiGroup = {
  group: 'storage.k8s.io',
  version: 'v1',
  resources: [
    { kind: 'CSIDriver', plural: 'csidrivers', namespaced: false },
    { kind: 'CSINode', plural: 'csinodes', namespaced: false },
    { kind: 'CSIStorageCapacity', plural: 'csistoragecapacities', namespaced: true },
    { kind: 'StorageClass', plural: 'storageclasses', namespaced: false, shortNames: ['sc'] },
    { kind: 'VolumeAttachment', plural: 'volumeattachments', namespaced: false, subresources: [status] },
    {
      kind: 'VolumeAttributesClass',
      plural: 'volumeattributesclasses',
      namespaced: false,
      shortNames: ['vac'],
    },
  ],
}
