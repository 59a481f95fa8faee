import type { Client } from '../../../sdk/engine/client/client.js'
import { reviewAttributes } from '../../../sdk/engine/kube/access-target.js'
import type { KubeObject } from '../../../sdk/engine/kube/object.js'
import type { Resource } from '../../../sdk/engine/kube/resource.js'
import { type OperatorPermission, operatorPermissions } from '../../roles/operator-permissions.js'
import { serviceAccountOf } from '../../roles/service-account.js'
import { type Finding, finding } from '../finding.js'
import type { OperatorFindingsOptions } from './operator-findings-options.js'

interface SubjectAccessReview extends KubeObject {
  spec: { user: string; groups: string[] }
  status?: { allowed?: boolean }
}

const reviews: Resource<SubjectAccessReview> = {
  group: 'authorization.k8s.io',
  version: 'v1',
  kind: 'SubjectAccessReview',
  plural: 'subjectaccessreviews',
  namespaced: false,
}

const check = 'permissions'
/** The maximum number of missing permissions that a finding lists. */
const maxListed = 5

/** Asks the API server about each permission of the operator's ServiceAccount. */
export async function permissionFinding({
  client,
  cluster,
  description,
}: OperatorFindingsOptions): Promise<Finding> {
  const { ownNamespace: namespace, clusters } = description
  const name = serviceAccountOf(description)
  const needed = operatorPermissions(description, cluster).flatMap(questionsOf)
  const allowed = await Promise.all(needed.map((ask) => isAllowed(client, ask, { name, namespace })))
  const missing = needed.filter((_, index) => !allowed[index]).map(({ words }) => words)
  const account = `ServiceAccount ${namespace}/${name}`
  if (missing.length === 0) return finding(check, 'ok', `${account} has all ${needed.length} that it needs`)
  const moreText = missing.length > maxListed ? ` and ${missing.length - maxListed} more` : ''
  const flag = cluster === clusters[0] ? '' : ` --cluster ${cluster}`
  const message = `${account} may not ${missing.slice(0, maxListed).join(', ')}${moreText}; apply what "vcluster-plugin manifest${flag}" prints, or pass its namespace with -n`
  return finding(check, 'failed', message)
}

interface AccessQuestion {
  attributes: object
  words: string
}

function questionsOf({
  group,
  resource,
  verbs,
  names,
  namespace = '',
}: OperatorPermission): AccessQuestion[] {
  const where = namespace === '' ? '' : ` in ${namespace}`
  const kind = group === '' ? resource : `${resource}.${group}`
  return verbs.flatMap((verb) =>
    (names ?? ['']).map((name) => ({
      attributes: reviewAttributes({ group, resource, verb, namespace, name }),
      words: `${verb} ${kind}${name && ` ${name}`}${where}`,
    })),
  )
}

async function isAllowed(
  client: Client,
  { attributes }: AccessQuestion,
  { name, namespace }: { name: string; namespace: string },
): Promise<boolean> {
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated']
  const user = `system:serviceaccount:${namespace}:${name}`
  const review = await client.create(reviews, {
    metadata: {},
    spec: { user, groups, ...attributes },
  })
  return review.status?.allowed === true
}
