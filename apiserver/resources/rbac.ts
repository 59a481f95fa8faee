import type { ApiGroup } from './built-in.js'

/** The resources of `rbac.authorization.k8s.io`. */
export const rbac: ApiGroup = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  resources: [
    { kind: 'ClusterRoleBinding', plural: 'clusterrolebindings', namespaced: false },
    { kind: 'ClusterRole', plural: 'clusterroles', namespaced: false },
    { kind: 'RoleBinding', plural: 'rolebindings', namespaced: true },
    { kind: 'Role', plural: 'roles', namespaced: true },
  ],
}
