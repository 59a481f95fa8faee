import type { ApiGroup } from './built-in.js'

/** The resources of `coordination.k8s.io`. */
export const coordination: ApiGroup = {
  group: 'coordination.k8s.io',
  version: 'v1',
  resources: [{ kind: 'Lease', plural: 'leases', namespaced: true }],
}
