import type { KubeObject } from '../../../sdk/engine/kube/object.js'
import type { OperatorDescription } from '../../../sdk/operator/describe/operator-description.js'
import { operatorRbac } from '../../roles/operator-rbac.js'
import type { RoleObject } from '../../roles/role-objects.js'
import { serviceAccountOf } from '../../roles/service-account.js'
import { wholeObject } from '../whole-object.js'
import { metricsObjects, reviewRules } from './metrics-objects.js'
import { networkPolicy } from './network-policy.js'
import { disruptionBudget, operatorDeployment } from './operator-deployment.js'
import type { OperatorManifestOptions } from './operator-options.js'
import { webhookObjects } from './webhook-objects.js'

/**
 * The objects of an operator in one of its clusters, by folder of the kustomize layout, in the order of their creation.
 */
export interface OperatorObjects {
  /** The definitions of the operator's kinds. */
  crd: readonly KubeObject[]
  /** The ServiceAccount and the roles of the operator, and roles for users of its kinds. */
  rbac: readonly KubeObject[]
  manager: readonly KubeObject[]
  webhook: readonly KubeObject[]
  /** The Service of the metrics, and the objects by which Prometheus reads them. */
  metrics: readonly KubeObject[]
  'network-policy': readonly KubeObject[]
}

/**
 * The objects of an operator in one of its clusters, by default the first, in which the operator runs. In any other
 * cluster these are definitions, roles, and a ServiceAccount whose token the operator uses from outside. Throws
 * `UsageError` for a cluster that the operator does not have.
 */
export function operatorObjects(
  description: OperatorDescription,
  options: OperatorManifestOptions,
): OperatorObjects {
  const { clusters, kinds } = description
  const { cluster = clusters[0] } = options
  const isFirst = cluster === clusters[0]
  const fullDescription = isFirst && options.secureMetrics ? withReviewRules(description) : description
  const rbac = rbacObjects(fullDescription, options)
  const crd = kinds.filter((kind) => kind.cluster === cluster).map(({ definition }) => definition)
  const noObjects = { manager: [], webhook: [], metrics: [], 'network-policy': [] }
  if (!isFirst) return { crd, rbac: [...rbac, tokenSecret(description)], ...noObjects }
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
    ...roles.filter(isOperatorRole).map((role) => bindingOf(role, { name, namespace })),
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

/** Adds the permissions by which the operator checks who reads its metrics. */
const withReviewRules = (description: OperatorDescription): OperatorDescription => ({
  ...description,
  ownRules: [...description.ownRules, ...reviewRules],
})

function restrictedNamespace(name: string): KubeObject {
  const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' }
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } }
}

/** Whether a role is the operator's own. Roles for users have labels for aggregation, and get no binding here. */
const isOperatorRole = ({ metadata }: RoleObject) => metadata.labels === undefined

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
