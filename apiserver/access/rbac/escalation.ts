import { jsonEqual } from '../../../sdk/engine/kube/json.js'
import { formatResource } from '../../../sdk/engine/kube/resource.js'
import { fieldAt, type OpenObject } from '../../base/object.js'
import type { UserInfo } from '../../request/request.js'
import type { ResourceTarget } from '../../request/request-info.js'
import { forbidden, type NamedResource, notFound } from '../../request/status.js'
import type { WritableStore } from '../../store/readable.js'
import { type Authorizer, masters } from '../authorizer.js'
import { missingRights } from './coverage.js'
import { type PolicyRule, printQuotedSlice } from './policy-rule.js'
import { joinErrors } from './rbac-authorizer.js'
import { grantsOf, rbacGroup, roleOf, rulesIn, rulesOfRole } from './role-lookup.js'

const everything: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
]

/** The parts of a write that this check reads; a `ResourceRequest` has them. */
export interface GuardedWrite {
  readonly resource: NamedResource
  readonly target: Pick<ResourceTarget, 'namespace' | 'name'>
  readonly user: UserInfo
  readonly server: { readonly authorizer: Authorizer; readonly store: WritableStore }
}

/**
 * Throws 403 for a write of a Role or Binding that would grant rights that its writer does not have. The verbs
 * `escalate` and `bind` allow it; see
 * https://kubernetes.io/docs/reference/access-authn-authz/rbac/#privilege-escalation-prevention-and-bootstrapping
 */
export function checkEscalation(request: GuardedWrite, next: OpenObject, before?: OpenObject): void {
  const { resource, user, server } = request
  if (resource.group !== rbacGroup || !server.authorizer.admitsAnonymous || user.groups.includes(masters))
    return
  if (before !== undefined && changesOnlyOwnership(next, before)) return
  if (resource.plural.endsWith('roles')) checkRole(request, next, before)
  else checkBinding(request, next)
}

/**
 * Whether a write changes only finalizers and owners, which the garbage collector must be able to remove. Managed
 * fields may differ; `IsOnlyMutatingGCFields` of Kubernetes v1.36.3.
 */
function changesOnlyOwnership(next: OpenObject, before: OpenObject): boolean {
  const bare = ({ metadata, ...rest }: OpenObject) => {
    const { finalizers: _finalizers, ownerReferences: _owners, managedFields: _managed, ...others } = metadata
    return { ...rest, metadata: others }
  }
  return jsonEqual(bare(next), bare(before))
}

function checkRole(request: GuardedWrite, next: OpenObject, before: OpenObject | undefined): void {
  const { resource, target, server } = request
  const name = target.name
  if (mayUse(request, server.authorizer, { verb: 'escalate', plural: resource.plural, name })) return
  checkRightsHeld(request, next, rulesIn(next))
  if (!isAggregated(next) && !(before !== undefined && isAggregated(before))) return
  if (escalationProblem(request, everything) === undefined) return
  const why = 'must have cluster-admin privileges to use the aggregationRule'
  throw forbidden(resource, next.metadata.name ?? '', why)
}

function isAggregated(role: OpenObject): boolean {
  const selectors = fieldAt(role, 'aggregationRule', 'clusterRoleSelectors')
  return Array.isArray(selectors) && selectors.length > 0
}

function checkBinding(request: GuardedWrite, next: OpenObject): void {
  const { resource, target, server } = request
  const role = roleOf(next)
  const plural = role.kind === 'Role' ? 'roles' : 'clusterroles'
  if (mayUse(request, server.authorizer, { verb: 'bind', plural, name: role.name })) return
  const rules = rulesOfRole(server.store, role, target.namespace)
  // The real server's error names the resource of the request instead of the role's.
  if (rules === undefined) throw notFound(resource, role.name)
  checkRightsHeld(request, next, rules)
}

interface RoleUse {
  readonly verb: string
  readonly plural: string
  readonly name: string
}

function mayUse(
  { user, target }: GuardedWrite,
  authorizer: Authorizer,
  { verb, plural, name }: RoleUse,
): boolean {
  const { namespace } = target
  const about = { group: rbacGroup, resource: plural, subresource: '', namespace, name }
  return authorizer.authorize({ user, verb, ...about }).allowed
}

function checkRightsHeld(request: GuardedWrite, next: OpenObject, desired: readonly PolicyRule[]): void {
  const problem = escalationProblem(request, desired)
  if (problem !== undefined) throw forbidden(request.resource, next.metadata.name ?? '', problem)
}

function escalationProblem(
  { user, target, server, resource }: GuardedWrite,
  desired: readonly PolicyRule[],
): string | undefined {
  const grants = [...grantsOf(server.store, user, target.namespace)]
  const missingTexts = missingRights(
    grants.flatMap(({ rules = [] }) => rules),
    desired,
  )
  if (missingTexts.length === 0) return undefined
  const lost = grants.filter(({ rules }) => rules === undefined)
  const errors = joinErrors(lost.map(({ role }) => `${formatResource(resource)} "${role.name}" not found`))
  const unresolved = errors === '' ? '' : `; resolution errors: [${errors.replace(/^\[|\]$/g, '')}]`
  const who = `user ${JSON.stringify(user.name)} (groups=${printQuotedSlice(user.groups)})`
  return `${who} is attempting to grant RBAC permissions not currently held:\n${missingTexts.join('\n')}${unresolved}`
}
