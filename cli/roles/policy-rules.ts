import type { Permission } from '../../sdk/syncer/permission.js'

/** One rule of a Role or ClusterRole, see https://kubernetes.io/docs/reference/access-authn-authz/rbac/ */
export interface PolicyRule {
  apiGroups: string[]
  resources: string[]
  verbs: string[]
}

/** Permissions as rules: one rule for each API group and set of verbs, in the order of the permissions. */
export function policyRules(permissions: readonly Permission[]): PolicyRule[] {
  const rules = new Map<string, PolicyRule>()
  for (const { group, resource, verbs } of merged(permissions)) {
    const id = JSON.stringify([group, verbs])
    const rule = rules.get(id) ?? { apiGroups: [group], resources: [], verbs: [...verbs] }
    rule.resources.push(resource)
    rules.set(id, rule)
  }
  return [...rules.values()]
}

/** Merges the verbs of a resource, which may have a required and an optional permission. */
function merged(permissions: readonly Permission[]): Permission[] {
  const found = new Map<string, Permission>()
  for (const permission of permissions) {
    const id = JSON.stringify([permission.group, permission.resource])
    const verbs = new Set([...(found.get(id)?.verbs ?? []), ...permission.verbs])
    found.set(id, { ...permission, verbs: [...verbs].sort() })
  }
  return [...found.values()]
}
