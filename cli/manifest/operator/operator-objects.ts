import type { KubeObject } from '../../../sdk/kube/object.js'
import type { OperatorDescription } from '../../../sdk/operator/describe/operator-description.js'
import { operatorRbac } from '../../roles/operator-rbac.js'
import type { RoleObject } from '../../roles/role-objects.js'
import { metricsObjects, reviewRules } from './metrics-objects.js'
import { networkPolicy } from './network-policy.js'
import { disruptionBudget, operatorDeployment } from './operator-deployment.js'
import type { OperatorManifestOptions } from './operator-options.js'
import { serviceAccountOf } from './service-account.js'
import { webhookObjects } from './webhook-objects.js'

/** The objects that run an operator in its first cluster, by folder of the kustomize layout, in the order of their creation. */
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

/** The objects that run an operator in its first cluster. */
export function operatorObjects(
  description: OperatorDescription,
  options: OperatorManifestOptions,
): OperatorObjects {
  const { ownNamespace: namespace, clusters, kinds } = description
  const account = serviceAccountOf(description)
  const { roles } = operatorRbac(options.secureMetrics ? withReviews(description) : description)
  return {
    crd: kinds.filter(({ cluster }) => cluster === clusters[0]).map(({ definition }) => definition),
    rbac: [
      ...(options.createsNamespace ? [restrictedNamespace(namespace)] : []),
      { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: account, namespace } },
      ...roles,
      ...roles.filter(isOwn).map((role) => bindingOf(role, { name: account, namespace })),
    ],
    manager: [operatorDeployment(description, options), ...disruptionBudget(description, options)],
    webhook: webhookObjects(description),
    metrics: metricsObjects(description, options),
    'network-policy': options.networkPolicy ? [networkPolicy(description, options)] : [],
  }
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
