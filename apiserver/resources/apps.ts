import { type ApiGroup, SCALE, STATUS } from './built-in.js'

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
      subresources: [STATUS],
    },
    {
      kind: 'Deployment',
      plural: 'deployments',
      namespaced: true,
      shortNames: ['deploy'],
      categories: ['all'],
      subresources: [SCALE, STATUS],
    },
    {
      kind: 'ReplicaSet',
      plural: 'replicasets',
      namespaced: true,
      shortNames: ['rs'],
      categories: ['all'],
      subresources: [SCALE, STATUS],
    },
    {
      kind: 'StatefulSet',
      plural: 'statefulsets',
      namespaced: true,
      shortNames: ['sts'],
      categories: ['all'],
      subresources: [SCALE, STATUS],
    },
  ],
}
