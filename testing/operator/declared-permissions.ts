import groupBy from 'lodash/groupBy.js'
import type { Client } from '../../sdk/engine/client/client.js'
import { ruleTarget } from '../../sdk/engine/kube/access-target.js'
import { stringifyJson } from '../../sdk/engine/kube/json.js'
import { keyOf } from '../../sdk/engine/kube/key.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { Resource } from '../../sdk/engine/kube/resource.js'
import type { AccessRule } from '../../sdk/engine/manager/unit-source.js'
import { isStatus, parseOrUndefined } from '../../sdk/engine/transport/refusal.js'
import type { Transport } from '../../sdk/engine/transport/transport.js'
import type { OperatorDescription } from '../../sdk/operator/describe/operator-description.js'

const group = 'rbac.authorization.k8s.io'

/** The name of the user for an operator that has only its declared permissions. */
export const operatorUser = (name: string) => `operator:${name}`

/** A transport that sends each request as `user`; the transport itself if `user` is undefined. */
export function impersonate(transport: Transport, user: string | undefined): Transport {
  if (user === undefined) return transport
  const as = { user, groups: ['system:authenticated'], extra: {} }
  return {
    request: (request) => transport.request({ as, ...request }),
    stream: (request) => transport.stream({ as, ...request }),
    close: () => transport.close(),
  }
}

/** The advice about a refusal, after the words of the API server. */
const advice =
  'no controller declares this permission: list it in "permissions" of the controller; for an object of a chart, set "permissionValues"'

/**
 * A transport that adds {@link advice} to the message of a request that the rules of the API server do not allow for
 * `user`; the transport itself if `user` is undefined.
 */
export function withAdvice(transport: Transport, user: string | undefined): Transport {
  if (user === undefined) return transport
  return {
    request: async (request) => {
      const response = await transport.request(request)
      const status = response.status === 403 ? parseOrUndefined(response.body) : undefined
      if (!isStatus(status) || !status.message?.includes(`User "${user}" cannot `)) return response
      const message = `${status.message}; ${advice}`
      return { ...response, body: Buffer.from(stringifyJson({ ...status, message })) }
    },
    stream: (request) => transport.stream(request),
    close: () => transport.close(),
  }
}

/** Options of {@link grantDeclared}. */
export interface GrantDeclaredOptions {
  readonly description: OperatorDescription
  readonly cluster: string
  readonly user: string
}

/** Grants a user the permissions that the operator declares for one cluster, by a role for each namespace. */
export async function grantDeclared(admin: Client, options: GrantDeclaredOptions): Promise<void> {
  const { description, cluster, user } = options
  const [defaultCluster] = description.clusters
  const declared = description.controllers.flatMap(({ rules }) => rules)
  const rules = [...declared, ...description.ownRules].filter(
    (rule) => (rule.cluster ?? defaultCluster) === cluster,
  )
  const byNamespace = groupBy(rules, (rule) => namespaceOf(rule, description))
  await removeOtherRoles(admin, { user, namespaces: Object.keys(byNamespace) })
  for (const [namespace, allowed] of Object.entries(byNamespace))
    await bind(admin, { namespace, user, rules: allowed.map(policyRule) })
}

interface GrantedNamespaces {
  readonly user: string
  readonly namespaces: readonly string[]
}

/** Removes what an earlier operator of that name was granted in other namespaces. */
async function removeOtherRoles(admin: Client, { user, namespaces }: GrantedNamespaces): Promise<void> {
  for (const kind of ['ClusterRoleBinding', 'RoleBinding', 'ClusterRole', 'Role']) {
    const resource = resourceOf(kind)
    const { items } = await admin.listAll(resource, { fieldSelector: `metadata.name=${user}` })
    const others = items.filter(({ metadata }) => !namespaces.includes(metadata.namespace ?? ''))
    for (const object of others) await admin.delete(resource, keyOf(object))
  }
}

/** `''` for all namespaces and for kinds without one. */
function namespaceOf(rule: AccessRule, { namespace = '' }: OperatorDescription): string {
  return rule.namespace ?? (rule.isClusterScoped ? '' : namespace)
}

function policyRule({ group, resource, verbs, names }: AccessRule): object {
  return { ...ruleTarget({ group, resource }), verbs, ...(names && { resourceNames: names }) }
}

interface Binding {
  readonly namespace: string
  readonly user: string
  readonly rules: readonly object[]
}

async function bind(admin: Client, { namespace, user, rules }: Binding): Promise<void> {
  const kind = namespace === '' ? 'ClusterRole' : 'Role'
  const metadata = { name: user, ...(namespace !== '' && { namespace }) }
  await apply(admin, { kind, metadata, rules })
  await apply(admin, {
    kind: `${kind}Binding`,
    metadata,
    roleRef: { apiGroup: group, kind, name: user },
    subjects: [{ apiGroup: group, kind: 'User', name: user }],
  })
}

/** Another operator of that name may have been granted its permissions before. */
async function apply(
  admin: Client,
  object: KubeObject & { kind: string; [field: string]: unknown },
): Promise<void> {
  const body = { apiVersion: `${group}/v1`, ...object }
  await admin.patch(resourceOf(object.kind), keyOf(object), {
    type: 'apply',
    fieldManager: 'test-operator',
    force: true,
    body,
  })
}

function resourceOf(kind: string): Resource {
  const namespaced = !kind.startsWith('Cluster')
  return { group, version: 'v1', kind, plural: `${kind.toLowerCase()}s`, namespaced }
}
