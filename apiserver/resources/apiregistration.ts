import { type ApiGroup, STATUS } from './built-in.js'

/** The resources of `apiregistration.k8s.io`: who serves a version of a group. */
export const apiregistration: ApiGroup = {
  group: 'apiregistration.k8s.io',
  version: 'v1',
  resources: [
    {
      kind: 'APIService',
      plural: 'apiservices',
      namespaced: false,
      categories: ['api-extensions'],
      subresources: [STATUS],
    },
  ],
}
