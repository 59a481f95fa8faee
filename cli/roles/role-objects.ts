import type { Side } from '../../sdk/vcluster/context/register-context.js'
import type { Permission } from '../../sdk/vcluster/syncer/permission.js'
import { type Grant, policyRules, type RbacPolicyRule } from './policy-rules.js'

/** A Role, or a ClusterRole, with its rules. */
export interface RoleObject {
  apiVersion: 'rbac.authorization.k8s.io/v1'
  kind: 'Role' | 'ClusterRole'
  metadata: { name: string; namespace?: string; labels?: Record<string, string> }
  rules: RbacPolicyRule[]
}

/** Options of {@link roleObjects}. */
export interface RoleObjectsOptions {
  /** The name of the roles. */
  name: string
  side: Side
  /** The target namespace; by default the roles have none, and `kubectl apply -n` sets it. */
  namespace?: string | undefined
}

/** The roles for these permissions in one cluster: a Role per namespace, and a ClusterRole for all namespaces. */
export function roleObjects(
  permissions: readonly (Permission & Grant)[],
  { name, side, namespace }: RoleObjectsOptions,
): RoleObject[] {
  const permissionsByNamespace = new Map<string | undefined, Grant[]>()
  for (const permission of permissions.filter((candidate) => candidate.side === side)) {
    const grantedNamespace = namespaceOf(permission) ?? namespace
    permissionsByNamespace.set(grantedNamespace, [
      ...(permissionsByNamespace.get(grantedNamespace) ?? []),
      permission,
    ])
  }
  return [...permissionsByNamespace].map(([grantedNamespace, granted]) => {
    if (grantedNamespace === '') return role('ClusterRole', { name }, granted)
    const place = grantedNamespace === undefined ? {} : { namespace: grantedNamespace }
    return role('Role', { name, ...place }, granted)
  })
}

/** The namespace of a permission, `''` for all; undefined means the target namespace. */
export function namespaceOf({ side, namespace }: Pick<Permission, 'side' | 'namespace'>): string | undefined {
  return namespace ?? (side === 'host' ? undefined : '')
}

function role(
  kind: RoleObject['kind'],
  metadata: RoleObject['metadata'],
  permissions: readonly Grant[],
): RoleObject {
  return { apiVersion: 'rbac.authorization.k8s.io/v1', kind, metadata, rules: policyRules(permissions) }
}
