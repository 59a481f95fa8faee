import { type ApiGroup, scaleSubresource, status } from './built-in.js'

/** The resources of `apps`. */
export const apps: ApiGroup = {
  group: 'apps',
  version: 'v1',
  resources: [
    { kind: 'ControllerRevision', plural: 'controllerrevisions', namespaced: true },
    {
      kind: 'DaemonSet',
      plural: 'daemonsets',
      namespaced: true,
      shortNames: ['ds'],
      categories: ['all'],
      subresources: [status],
    },
    {
      kind: 'Deployment',
      plural: 'deployments',
      namespaced: true,
      shortNames: ['deploy'],
      categories: ['all'],
      subresources: [scaleSubresource, status],
    },
    {
      kind: 'ReplicaSet',
      plural: 'replicasets',
      namespaced: true,
      shortNames: ['rs'],
      categories: ['all'],
      subresources: [scaleSubresource, status],
    },
    {
      kind: 'StatefulSet',
      plural: 'statefulsets',
      namespaced: true,
      shortNames: ['sts'],
      categories: ['all'],
      subresources: [scaleSubresource, status],
    },
  ],
}
