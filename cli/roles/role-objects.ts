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
  const places = new Map<string | undefined, Grant[]>()
  for (const permission of permissions.filter((one) => one.side === side)) {
    const place = permission.namespace ?? (side === 'host' ? undefined : '')
    places.set(place, [...(places.get(place) ?? []), permission])
  }
  return [...places].map(([place, here]) => {
    if (place === '') return role('ClusterRole', { name }, here)
    const at = place ?? namespace
    return role('Role', at === undefined ? { name } : { name, namespace: at }, here)
  })
}

function role(
  kind: RoleObject['kind'],
  metadata: RoleObject['metadata'],
  permissions: readonly Grant[],
): RoleObject {
  return { apiVersion: 'rbac.authorization.k8s.io/v1', kind, metadata, rules: policyRules(permissions) }
}
