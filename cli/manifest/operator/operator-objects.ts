import type { KubeObject } from '../../../sdk/engine/kube/object.js'
import type { OperatorDescription } from '../../../sdk/operator/describe/operator-description.js'
import { operatorRbac } from '../../roles/operator-rbac.js'
import type { RoleObject } from '../../roles/role-objects.js'
import { wholeObject } from '../whole-object.js'
import { metricsObjects, reviewRules } from './metrics-objects.js'
import { networkPolicy } from './network-policy.js'
import { disruptionBudget, operatorDeployment } from './operator-deployment.js'
import type { OperatorManifestOptions } from './operator-options.js'
import { serviceAccountOf } from './service-account.js'
import { webhookObjects } from './webhook-objects.js'

/**
 * The objects of an operator in one of its clusters, by folder of the kustomize layout, in the order of their creation.
 */
export interface OperatorObjects {
  /** Its definitions. */
  crd: readonly KubeObject[]
  /** Its ServiceAccount, its roles and those of its users. */
  rbac: readonly KubeObject[]
  manager: readonly KubeObject[]
  webhook: readonly KubeObject[]
  /** The Service of its metrics, and what reads them. */
  metrics: readonly KubeObject[]
  'network-policy': readonly KubeObject[]
}

/**
 * The objects of an operator in one of its clusters, by default the first, in which it runs. In the others it has its
 * kinds, and a ServiceAccount with a token. Throws `UsageError` for a cluster that it does not have.
 */
export function operatorObjects(
  description: OperatorDescription,
  options: OperatorManifestOptions,
): OperatorObjects {
  const { clusters, kinds } = description
  const { cluster = clusters[0] } = options
  const isFirst = cluster === clusters[0]
  const fullDescription = isFirst && options.secureMetrics ? withReviews(description) : description
  const rbac = rbacObjects(fullDescription, options)
  const crd = kinds.filter((kind) => kind.cluster === cluster).map(({ definition }) => definition)
  const none = { manager: [], webhook: [], metrics: [], 'network-policy': [] }
  if (!isFirst) return { crd, rbac: [...rbac, tokenSecret(description)], ...none }
  return {
    crd,
    rbac,
    manager: [operatorDeployment(description, options), ...disruptionBudget(description, options)],
    webhook: webhookObjects(description),
    metrics: metricsObjects(description, options),
    'network-policy': options.networkPolicy ? [networkPolicy(description, options)] : [],
  }
}

function rbacObjects(
  description: OperatorDescription,
  { cluster, createsNamespace }: Pick<OperatorManifestOptions, 'cluster' | 'createsNamespace'>,
): KubeObject[] {
  const { ownNamespace: namespace } = description
  const name = serviceAccountOf(description)
  const { roles } = operatorRbac(description, { cluster })
  return [
    ...(createsNamespace ? [restrictedNamespace(namespace)] : []),
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } },
    ...roles,
    ...roles.filter(isOwn).map((role) => bindingOf(role, { name, namespace })),
  ]
}

/** The credentials of an operator that runs in another cluster. The cluster writes the token. */
function tokenSecret(description: OperatorDescription): KubeObject {
  const { name, ownNamespace: namespace } = description
  const annotations = { 'kubernetes.io/service-account.name': serviceAccountOf(description) }
  const metadata = { name: `${name}-token`, namespace, annotations }
  return wholeObject({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata,
    type: 'kubernetes.io/service-account-token',
  })
}

const withReviews = (description: OperatorDescription): OperatorDescription => ({
  ...description,
  ownRules: [...description.ownRules, ...reviewRules],
})

function restrictedNamespace(name: string): KubeObject {
  const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' }
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } }
}

/** The roles of users have labels, by which the cluster aggregates them; they need no binding. */
const isOwn = ({ metadata }: RoleObject) => metadata.labels === undefined

function bindingOf(
  { apiVersion, kind, metadata }: RoleObject,
  { name, namespace }: { name: string; namespace: string },
): KubeObject {
  const binding = {
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name: metadata.name },
    subjects: [{ kind: 'ServiceAccount', name, namespace }],
  }
  return { apiVersion, kind: `${kind}Binding`, metadata, ...binding }
}
