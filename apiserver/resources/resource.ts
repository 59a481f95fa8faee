import { type ApiGroup, status } from './built-in.js'

/** The resources of `resource.k8s.io`: devices and claims for devices. */
export const resource: ApiGroup = {
  group: 'resource.k8s.io',
  version: 'v1',
  resources: [
    { kind: 'DeviceClass', plural: 'deviceclasses', namespaced: false },
    { kind: 'ResourceClaim', plural: 'resourceclaims', namespaced: true, subresources: [status] },
    { kind: 'ResourceClaimTemplate', plural: 'resourceclaimtemplates', namespaced: true },
    { kind: 'ResourceSlice', plural: 'resourceslices', namespaced: false },
  ],
}
