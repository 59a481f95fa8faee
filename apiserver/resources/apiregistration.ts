import { type ApiGroup, status } from './built-in.js'

/** The resources of `apiregistration.k8s.io`: the servers of group versions. */
export const apiregistration: ApiGroup = {
  group: 'apiregistration.k8s.io',
  version: 'v1',
  resources: [
    {
      kind: 'APIService',
      plural: 'apiservices',
      namespaced: false,
      categories: ['api-extensions'],
      subresources: [status],
    },
  ],
}
