import type { KindDescription } from '../../sdk/operator/describe/operator-description.js'
import type { RbacPolicyRule } from './policy-rules.js'
import type { RoleObject } from './role-objects.js'

const viewVerbs = ['get', 'list', 'watch']
const editVerbs = ['create', 'delete', 'deletecollection', 'patch', 'update']

/**
 * ClusterRoles for the users of the kinds of an operator in one cluster. A plural that several groups have is followed
 * by the group.
 */
export function userRoles(operator: string, kinds: readonly KindDescription[]): RoleObject[] {
  return kinds.flatMap((kind) => {
    const { group, plural } = kind.resource
    const isShared = kinds.some(({ resource }) => resource.plural === plural && resource.group !== group)
    return rolesOf(`${operator}-${isShared ? `${plural}.${group}` : plural}`, kind)
  })
}

/**
 * ClusterRoles for the users of a kind, which the API server adds to its own roles `view`, `edit` and `admin`. Those
 * who edit also view, and administrators edit. Only administrators may write the status.
 *
 * See https://kubernetes.io/docs/reference/access-authn-authz/rbac/#aggregated-clusterroles
 */
function rolesOf(name: string, { resource, hasScale }: KindDescription): RoleObject[] {
  const { group, plural } = resource
  const rule = (resources: string[], verbs: string[]): RbacPolicyRule => ({
    apiGroups: [group],
    resources,
    verbs: [...verbs].sort(),
  })
  const scale = hasScale ? [`${plural}/scale`] : []
  const role = (to: string, rules: RbacPolicyRule[]): RoleObject => ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: {
      name: `${name}-${to}`,
      labels: { [`rbac.authorization.k8s.io/aggregate-to-${to}`]: 'true' },
    },
    rules,
  })
  return [
    role('view', [rule([plural], viewVerbs), rule([`${plural}/status`, ...scale], ['get'])]),
    role('edit', [rule([plural], editVerbs), ...(hasScale ? [rule(scale, ['patch', 'update'])] : [])]),
    role('admin', [rule([`${plural}/status`], ['patch', 'update'])]),
  ]
}
