import { type ApiGroup, status } from './built-in.js'

/** The resources of `flowcontrol.apiserver.k8s.io`: the priority of requests. */
export const flowcontrol: ApiGroup = {
  group: 'flowcontrol.apiserver.k8s.io',
  version: 'v1',
  resources: [
    { kind: 'FlowSchema', plural: 'flowschemas', namespaced: false, subresources: [status] },
    {
      kind: 'PriorityLevelConfiguration',
      plural: 'prioritylevelconfigurations',
      namespaced: false,
      subresources: [status],
    },
  ],
}
