import type { Permission } from '../../sdk/syncer/permission.js'

/** One rule of a Role or ClusterRole, see https://kubernetes.io/docs/reference/access-authn-authz/rbac/ */
export interface PolicyRule {
  apiGroups: string[]
  resources: string[]
  verbs: string[]
}

/** Permissions as rules: one for each API group and set of verbs, in the order in which they first come. */
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

/** What is needed and what is optional may be two entries of one kind. */
function merged(permissions: readonly Permission[]): Permission[] {
  const found = new Map<string, Permission>()
  for (const permission of permissions) {
    const id = JSON.stringify([permission.group, permission.resource])
    const verbs = new Set([...(found.get(id)?.verbs ?? []), ...permission.verbs])
    found.set(id, { ...permission, verbs: [...verbs].sort() })
  }
  return [...found.values()]
}
