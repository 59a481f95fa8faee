import { configMapRules } from './config-map.js'
import { customResourceDefinitionRules } from './custom-resource-definition.js'
import { eventRules, newEventRules } from './event.js'
import { horizontalPodAutoscalerRules } from './horizontal-pod-autoscaler.js'
import { type KindRules, textAt } from './kind-rules.js'
import { leaseRules } from './lease.js'
import { namespaceRules } from './namespace.js'
import { podRules } from './pod.js'
import { clusterRoleBindingRules, clusterRoleRules, roleBindingRules, roleRules } from './rbac.js'
import { secretRules } from './secret.js'
import { serviceRules } from './service.js'
import { daemonSetRules, deploymentRules, replicaSetRules, statefulSetRules } from './workloads.js'

const counted: KindRules = { generation: true }

/** The rules of the kinds that have any, by `plural` or `plural.group`. */
export const rulesByResource: Readonly<Record<string, KindRules>> = {
  configmaps: configMapRules,
  events: eventRules,
  'events.events.k8s.io': newEventRules,
  componentstatuses: { deprecation: 'v1 ComponentStatus is deprecated in v1.19+' },
  endpoints: {
    createOnUpdate: true,
    deprecation: 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
  },
  namespaces: namespaceRules,
  nodes: { selectable: { 'spec.unschedulable': (object) => textAt(object, 'spec', 'unschedulable') } },
  persistentvolumeclaims: { returnsDeleted: true },
  persistentvolumes: { returnsDeleted: true },
  pods: podRules,
  podtemplates: { generation: true, returnsDeleted: true },
  replicationcontrollers: counted,
  resourcequotas: { returnsDeleted: true },
  secrets: secretRules,
  serviceaccounts: { returnsDeleted: true },
  services: serviceRules,
  'customresourcedefinitions.apiextensions.k8s.io': customResourceDefinitionRules,
  'daemonsets.apps': daemonSetRules,
  'deployments.apps': deploymentRules,
  'replicasets.apps': replicaSetRules,
  'statefulsets.apps': statefulSetRules,
  'horizontalpodautoscalers.autoscaling': horizontalPodAutoscalerRules,
  'cronjobs.batch': counted,
  'jobs.batch': counted,
  'leases.coordination.k8s.io': leaseRules,
  'endpointslices.discovery.k8s.io': { generation: true, versionedUpdate: true },
  'ingresses.networking.k8s.io': counted,
  'ingressclasses.networking.k8s.io': counted,
  'networkpolicies.networking.k8s.io': counted,
  'poddisruptionbudgets.policy': { generation: true, versionedUpdate: true },
  'clusterroles.rbac.authorization.k8s.io': clusterRoleRules,
  'clusterrolebindings.rbac.authorization.k8s.io': clusterRoleBindingRules,
  'roles.rbac.authorization.k8s.io': roleRules,
  'rolebindings.rbac.authorization.k8s.io': roleBindingRules,
  'storageclasses.storage.k8s.io': { returnsDeleted: true },
}
