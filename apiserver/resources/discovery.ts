import type { ApiGroup } from './built-in.js'

/** The resources of `discovery.k8s.io`. */
export const discovery: ApiGroup = {
  group: 'discovery.k8s.io',
  version: 'v1',
  resources: [{ kind: 'EndpointSlice', plural: 'endpointslices', namespaced: true }],
}
