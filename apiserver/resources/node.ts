import type { ApiGroup } from './built-in.js'

/** The resources of `node.k8s.io`. */
export const node: ApiGroup = {
  group: 'node.k8s.io',
  version: 'v1',
  resources: [{ kind: 'RuntimeClass', plural: 'runtimeclasses', namespaced: false }],
}
