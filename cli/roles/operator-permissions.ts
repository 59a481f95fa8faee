import type { AccessRule } from '../../sdk/engine/manager/unit-source.js'
import type { OperatorDescription } from '../../sdk/operator/describe/operator-description.js'
import type { NeededPermission } from '../../sdk/vcluster/plugin/permissions.js'
import type { Grant } from './policy-rules.js'

/** A permission of an operator, which may be restricted to objects by name. */
export type OperatorPermission = NeededPermission & Grant

/**
 * All permissions that an operator needs in one of its clusters: one entry for each kind, namespace and list of
 * names. `namespace` is `''` for all namespaces and for kinds without one.
 */
export function operatorPermissions(description: OperatorDescription, cluster: string): OperatorPermission[] {
  const [first] = description.clusters
  const declared = description.controllers.flatMap(({ name, rules }) =>
    rules
      .filter((rule) => (rule.cluster ?? first) === cluster)
      .map((rule) => permissionOf(rule, description, name)),
  )
  const ownRules = cluster === first ? description.ownRules : []
  return mergePermissions([
    ...declared,
    ...ownRules.map((rule) => permissionOf(rule, description, 'the operator')),
  ])
}

function permissionOf(
  { group, resource, verbs, names, ...where }: AccessRule,
  { namespace: only = '' }: OperatorDescription,
  neededBy: string,
): OperatorPermission {
  const namespace = where.namespace ?? (where.isClusterScoped ? '' : only)
  return { side: 'host', group, resource, verbs, namespace, neededBy: [neededBy], ...(names && { names }) }
}

function mergePermissions(permissions: readonly OperatorPermission[]): OperatorPermission[] {
  const permissionsById = new Map<string, OperatorPermission>()
  for (const permission of permissions) {
    const { group, resource, namespace, names } = permission
    const id = JSON.stringify([group, resource, namespace, names])
    const existing = permissionsById.get(id)
    const verbs = [...new Set([...(existing?.verbs ?? []), ...permission.verbs])].sort()
    const neededBy = [...new Set([...(existing?.neededBy ?? []), ...permission.neededBy])]
    permissionsById.set(id, { ...permission, verbs, neededBy })
  }
  return [...permissionsById.values()]
}
