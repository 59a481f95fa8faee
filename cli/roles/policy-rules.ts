import { isUrl, ruleTarget } from '../../sdk/engine/kube/access-target.js'
import type { Permission } from '../../sdk/vcluster/syncer/permission.js'

/** One rule of a Role or ClusterRole, see https://kubernetes.io/docs/reference/access-authn-authz/rbac/ */
export interface RbacPolicyRule {
  /** Left out, with `resources`, for URLs. */
  apiGroups?: string[]
  resources?: string[]
  /** Non-resource URLs; only in a ClusterRole. */
  nonResourceURLs?: string[]
  verbs: string[]
  /** The names of the objects; left out for all. */
  resourceNames?: string[]
}

/** Verbs for one resource; the Role or ClusterRole is decided elsewhere. */
export interface Grant extends Pick<Permission, 'group' | 'resource' | 'verbs'> {
  /** The names of the objects; left out for all. */
  readonly names?: readonly string[]
}

/**
 * Permissions as rules: one rule for each API group, set of verbs and list of names, in the order of the permissions.
 */
export function policyRules(permissions: readonly Grant[]): RbacPolicyRule[] {
  const rules = new Map<string, RbacPolicyRule>()
  for (const { group, resource, verbs, names } of mergeVerbs(permissions)) {
    const id = JSON.stringify([group, verbs, names, isUrl(resource)])
    const target = ruleTarget({ group, resource })
    const rule = rules.get(id)
    rule?.resources?.push(...(target.resources ?? []))
    rule?.nonResourceURLs?.push(...(target.nonResourceURLs ?? []))
    const resourceNames = names && { resourceNames: [...names] }
    if (!rule) rules.set(id, { ...target, verbs: [...verbs], ...resourceNames })
  }
  return [...rules.values()]
}

/** Merges the verbs of a resource, which may have a required and an optional permission. */
function mergeVerbs(permissions: readonly Grant[]): Grant[] {
  const grantsById = new Map<string, Grant>()
  for (const permission of permissions) {
    const id = JSON.stringify([permission.group, permission.resource, permission.names])
    const verbs = new Set([...(grantsById.get(id)?.verbs ?? []), ...permission.verbs])
    grantsById.set(id, { ...permission, verbs: [...verbs].sort() })
  }
  return [...grantsById.values()]
}
