import type { Builtin } from './builtin.js'
import type {
  V1ClusterRole,
  V1ClusterRoleBinding,
  V1LimitRange,
  V1ResourceQuota,
  V1Role,
  V1RoleBinding,
} from './gen/kubernetes.js'
import type { Resource } from './resource.js'

/** The objects of rbac.authorization.k8s.io/v1 Role. */
export type Role = Builtin<V1Role, 'Role'>
/** The objects of rbac.authorization.k8s.io/v1 RoleBinding. */
export type RoleBinding = Builtin<V1RoleBinding, 'RoleBinding'>
/** The objects of rbac.authorization.k8s.io/v1 ClusterRole. */
export type ClusterRole = Builtin<V1ClusterRole, 'ClusterRole'>
/** The objects of rbac.authorization.k8s.io/v1 ClusterRoleBinding. */
export type ClusterRoleBinding = Builtin<V1ClusterRoleBinding, 'ClusterRoleBinding'>
/** The objects of v1 ResourceQuota. */
export type ResourceQuota = Builtin<V1ResourceQuota, 'ResourceQuota'>
/** The objects of v1 LimitRange. */
export type LimitRange = Builtin<V1LimitRange, 'LimitRange'>

/** rbac.authorization.k8s.io/v1 Role. */
export const roles: Resource<Role> = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'Role',
  plural: 'roles',
  namespaced: true,
}

/** rbac.authorization.k8s.io/v1 RoleBinding. */
export const roleBindings: Resource<RoleBinding> = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'RoleBinding',
  plural: 'rolebindings',
  namespaced: true,
}

/** rbac.authorization.k8s.io/v1 ClusterRole. */
export const clusterRoles: Resource<ClusterRole> = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'ClusterRole',
  plural: 'clusterroles',
  namespaced: false,
}

/** rbac.authorization.k8s.io/v1 ClusterRoleBinding. */
export const clusterRoleBindings: Resource<ClusterRoleBinding> = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'ClusterRoleBinding',
  plural: 'clusterrolebindings',
  namespaced: false,
}

/** v1 ResourceQuota. */
export const resourceQuotas: Resource<ResourceQuota> = {
  group: '',
  version: 'v1',
  kind: 'ResourceQuota',
  plural: 'resourcequotas',
  namespaced: true,
}

/** v1 LimitRange. */
export const limitRanges: Resource<LimitRange> = {
  group: '',
  version: 'v1',
  kind: 'LimitRange',
  plural: 'limitranges',
  namespaced: true,
}
