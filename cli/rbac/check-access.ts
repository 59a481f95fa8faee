import { reviewAttributes } from '../../sdk/engine/kube/access-target.js'
import { ApiError, type Status } from '../../sdk/engine/kube/error.js'
import { parseJson } from '../../sdk/engine/kube/json.js'
import type { Transport } from '../../sdk/engine/transport/transport.js'
import type { Permission } from '../../sdk/vcluster/syncer/permission.js'
import type { Grant, RbacPolicyRule } from '../roles/policy-rules.js'
import { namespaceOf } from '../roles/role-objects.js'

/** The permissions of credentials, compared with those that a plugin needs. */
export interface AccessReport {
  /** Missing permissions, one per verb; `optional` if the plugin works without it. */
  missing: MissingAccess[]
  /** Permissions that the plugin does not need, as `resource.group: verbs`. */
  excess: string[]
  /** Whether the API server could not list all permissions, as with webhooks. */
  isIncomplete: boolean
}

/** A missing permission. */
export interface MissingAccess extends Omit<Permission, 'verbs'> {
  verb: string
  /** The one object; left out for all. */
  name?: string
  optional: boolean
}

/** Options of {@link checkAccess}. */
export interface CheckAccessOptions {
  transport: Transport
  /** The needed permissions in one cluster. */
  permissions: readonly (Permission & Grant & { optional?: true })[]
  /** The target namespace. */
  namespace: string
}

/**
 * Asks an API server for the permissions of the credentials. Missing permissions are checked verb by verb
 * (SelfSubjectAccessReview), because a list of rules does not tell their origin. Excess permissions come from the list
 * of rules in the namespace (SelfSubjectRulesReview).
 *
 * See https://kubernetes.io/docs/reference/access-authn-authz/authorization/#checking-api-access
 */
export async function checkAccess(options: CheckAccessOptions): Promise<AccessReport> {
  const singleRequests = options.permissions.flatMap(({ verbs, names, optional = false, ...rest }) =>
    verbs.flatMap((verb) => placesOf(names).map((name) => ({ ...rest, ...name, verb, optional }))),
  )
  const allowed = await Promise.all(singleRequests.map((request) => isAllowed(request, options)))
  const { rules, incomplete } = await rulesIn(options)
  return {
    missing: singleRequests.filter((_, index) => !allowed[index]),
    excess: excessOf(rules, options.permissions),
    isIncomplete: incomplete,
  }
}

function placesOf(names: readonly string[] | undefined): { name?: string }[] {
  return names ? names.map((name) => ({ name })) : [{}]
}

async function isAllowed(
  { group, resource, verb, name, ...where }: MissingAccess,
  { transport, namespace }: CheckAccessOptions,
): Promise<boolean> {
  const question = { group, resource, verb, name, namespace: namespaceOf(where) ?? namespace }
  const answer = await review(transport, 'SelfSubjectAccessReview', reviewAttributes(question))
  return (answer as { allowed?: boolean }).allowed === true
}

interface RulesStatus {
  rules: RbacPolicyRule[]
  incomplete: boolean
}

async function rulesIn({ transport, namespace }: CheckAccessOptions): Promise<RulesStatus> {
  const { resourceRules = [], incomplete = false } = (await review(transport, 'SelfSubjectRulesReview', {
    namespace,
  })) as { resourceRules?: RbacPolicyRule[]; incomplete?: boolean }
  return { rules: resourceRules, incomplete }
}

async function review(transport: Transport, kind: string, spec: object): Promise<object> {
  const apiVersion = 'authorization.k8s.io/v1'
  const { status, body } = await transport.request({
    method: 'POST',
    path: `/apis/${apiVersion}/${kind.toLowerCase()}s`,
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ apiVersion, kind, spec }),
  })
  const answer = parseJson(body)
  if (status >= 300) throw new ApiError(answer as Status)
  return (answer as { status?: object }).status ?? {}
}

/** The groups that every user may use, by `system:basic-user`. */
const reviews = ['authentication.k8s.io', 'authorization.k8s.io']

function excessOf(rules: readonly RbacPolicyRule[], permissions: readonly Permission[]): string[] {
  const lines = rules.flatMap(({ apiGroups = [], resources = [], verbs }) =>
    apiGroups
      .filter((group) => !reviews.includes(group))
      .flatMap((group) => resources.map((resource) => excessIn({ group, resource, verbs }, permissions))),
  )
  return [...new Set(lines.filter((line) => line !== undefined))]
}

/** The verbs that are not needed; a wildcard is never needed. */
function excessIn(
  { group, resource, verbs }: Pick<Permission, 'group' | 'resource' | 'verbs'>,
  permissions: readonly Permission[],
): string | undefined {
  const needed = permissions
    .filter((rule) => rule.group === group && rule.resource === resource)
    .flatMap((rule) => rule.verbs)
  const excessVerbs = verbs.filter((verb) => !needed.includes(verb))
  const name = group === '' ? resource : `${resource}.${group}`
  return excessVerbs.length > 0 ? `${name}: ${excessVerbs.join(', ')}` : undefined
}
