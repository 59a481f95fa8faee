import type { ApiGroup } from './built-in.js'

/** The resources of `scheduling.k8s.io`. */
export const scheduling: ApiGroup = {
  group: 'scheduling.k8s.io',
  version: 'v1',
  resources: [{ kind: 'PriorityClass', plural: 'priorityclasses', namespaced: false, shortNames: ['pc'] }],
}
