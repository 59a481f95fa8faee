import { type OpenObject, recordOf } from '../base/object.js'
import type { KindRules } from '../resources/kind-rules.js'
import { apiServiceRules } from './api-service.js'
import { cronJobRules } from './batch/cron-job.js'
import { jobRules } from './batch/job.js'
import { signingRequestRules } from './certificates/signing-request.js'
import { priorityClassRules, storageClassRules } from './classes.js'
import { configMapRules } from './config-map.js'
import { customResourceDefinitionRules } from './custom-resource-definition.js'
import {
  deviceClassRules,
  resourceClaimRules,
  resourceClaimTemplateRules,
  resourceSliceRules,
} from './devices.js'
import { endpointSliceRules } from './endpoint-slice.js'
import { eventRules, newEventRules } from './event.js'
import { flowSchemaRules, priorityLevelRules } from './flow-control.js'
import { horizontalPodAutoscalerRules } from './horizontal-pod-autoscaler.js'
import { ingressRules } from './ingress.js'
import { leaseRules } from './lease.js'
import { limitRangeRules } from './limit-range.js'
import { namespaceRules } from './namespace.js'
import { networkPolicyRules } from './network-policy.js'
import { endpointsRules } from './networking/endpoints.js'
import { ingressClassRules } from './networking/ingress-class.js'
import { ipAddressRules } from './networking/ip-address.js'
import { serviceCidrRules } from './networking/service-cidr.js'
import { nodeRules } from './node.js'
import { podRules } from './pod.js'
import { podDisruptionBudgetRules } from './pod-disruption-budget.js'
import { withoutGatedFields } from './pod-spec/gated-fields.js'
import { mutatingPolicyRules } from './policies/mutating-policy.js'
import { mutatingBindingRules, validatingBindingRules } from './policies/policy-binding.js'
import { validatingPolicyRules } from './policies/validating-policy.js'
import { clusterRoleBindingRules, clusterRoleRules, roleBindingRules, roleRules } from './rbac.js'
import { resourceQuotaRules } from './resource-quota.js'
import { runtimeClassRules } from './runtime-class.js'
import { secretRules } from './secret.js'
import { serviceRules } from './service/service.js'
import { csiDriverRules } from './storage/csi-driver.js'
import { csiNodeRules } from './storage/csi-node.js'
import { csiStorageCapacityRules } from './storage/csi-storage-capacity.js'
import { volumeAttachmentRules } from './storage/volume-attachment.js'
import { volumeAttributesClassRules } from './storage/volume-attributes-class.js'
import { claimRules, volumeRules } from './volumes.js'
import { webhookConfigurationRules } from './webhook-configuration.js'
import { controllerRevisionRules } from './workloads/controller-revision.js'
import { daemonSetRules } from './workloads/daemon-set.js'
import { deploymentRules } from './workloads/deployment.js'
import { podTemplateRules } from './workloads/pod-template.js'
import { replicaSetRules } from './workloads/replica-set.js'
import { replicationControllerRules } from './workloads/replication-controller.js'
import { statefulSetRules } from './workloads/stateful-set.js'

/** Only the names of a service account's Secrets are stored. */
function keepSecretNames(object: OpenObject): undefined {
  if (!Array.isArray(object.secrets)) return
  object.secrets = object.secrets.map((secret) => {
    const { name } = recordOf(secret)
    return name === undefined ? {} : { name }
  })
}

const mountable = 'kubernetes.io/enforce-mountable-secrets'

/** `pkg/registry/core/serviceaccount/strategy.go` of Kubernetes v1.36.3. */
const serviceAccountRules: KindRules = {
  create: {
    prepare: keepSecretNames,
    warnings({ metadata }) {
      if (metadata.annotations?.[mountable] !== 'true') return []
      const advice = 'deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets'
      return [`metadata.annotations[${mountable}]: ${advice}`]
    },
  },
  update: {
    prepare: keepSecretNames,
  },
  delete: {
    returnsObject: true,
  },
}

/** The rules of all kinds that have any, by `plural` or `plural.group`. */
export const rulesByResource: Readonly<Record<string, KindRules>> = {
  configmaps: configMapRules,
  events: eventRules,
  'events.events.k8s.io': newEventRules,
  componentstatuses: {
    deprecation: 'v1 ComponentStatus is deprecated in v1.19+',
  },
  endpoints: endpointsRules,
  namespaces: namespaceRules,
  nodes: nodeRules,
  persistentvolumeclaims: claimRules,
  persistentvolumes: volumeRules,
  pods: withoutGatedFields(podRules, 'spec'),
  podtemplates: withoutGatedFields(podTemplateRules, 'template', 'spec'),
  replicationcontrollers: withoutGatedFields(replicationControllerRules, 'spec', 'template', 'spec'),
  resourcequotas: resourceQuotaRules,
  secrets: secretRules,
  serviceaccounts: serviceAccountRules,
  services: serviceRules,
  'customresourcedefinitions.apiextensions.k8s.io': customResourceDefinitionRules,
  'daemonsets.apps': withoutGatedFields(daemonSetRules, 'spec', 'template', 'spec'),
  'deployments.apps': withoutGatedFields(deploymentRules, 'spec', 'template', 'spec'),
  'replicasets.apps': withoutGatedFields(replicaSetRules, 'spec', 'template', 'spec'),
  'statefulsets.apps': withoutGatedFields(statefulSetRules, 'spec', 'template', 'spec'),
  'horizontalpodautoscalers.autoscaling': horizontalPodAutoscalerRules,
  'cronjobs.batch': withoutGatedFields(cronJobRules, 'spec', 'jobTemplate', 'spec', 'template', 'spec'),
  'jobs.batch': withoutGatedFields(jobRules, 'spec', 'template', 'spec'),
  'leases.coordination.k8s.io': leaseRules,
  'certificatesigningrequests.certificates.k8s.io': signingRequestRules,
  'endpointslices.discovery.k8s.io': endpointSliceRules,
  'ingresses.networking.k8s.io': ingressRules,
  'ingressclasses.networking.k8s.io': ingressClassRules,
  'networkpolicies.networking.k8s.io': networkPolicyRules,
  'poddisruptionbudgets.policy': podDisruptionBudgetRules,
  'clusterroles.rbac.authorization.k8s.io': clusterRoleRules,
  'clusterrolebindings.rbac.authorization.k8s.io': clusterRoleBindingRules,
  'roles.rbac.authorization.k8s.io': roleRules,
  'rolebindings.rbac.authorization.k8s.io': roleBindingRules,
  'apiservices.apiregistration.k8s.io': apiServiceRules,
  'deviceclasses.resource.k8s.io': deviceClassRules,
  'resourceclaims.resource.k8s.io': resourceClaimRules,
  'resourceclaimtemplates.resource.k8s.io': resourceClaimTemplateRules,
  'resourceslices.resource.k8s.io': resourceSliceRules,
  'flowschemas.flowcontrol.apiserver.k8s.io': flowSchemaRules,
  'prioritylevelconfigurations.flowcontrol.apiserver.k8s.io': priorityLevelRules,
  'csidrivers.storage.k8s.io': csiDriverRules,
  'csinodes.storage.k8s.io': csiNodeRules,
  'csistoragecapacities.storage.k8s.io': csiStorageCapacityRules,
  limitranges: limitRangeRules,
  'volumeattachments.storage.k8s.io': volumeAttachmentRules,
  'controllerrevisions.apps': controllerRevisionRules,
  'ipaddresses.networking.k8s.io': ipAddressRules,
  'servicecidrs.networking.k8s.io': serviceCidrRules,
  'volumeattributesclasses.storage.k8s.io': volumeAttributesClassRules,
  'mutatingwebhookconfigurations.admissionregistration.k8s.io': webhookConfigurationRules,
  'mutatingadmissionpolicies.admissionregistration.k8s.io': mutatingPolicyRules,
  'mutatingadmissionpolicybindings.admissionregistration.k8s.io': mutatingBindingRules,
  'validatingadmissionpolicies.admissionregistration.k8s.io': validatingPolicyRules,
  'validatingadmissionpolicybindings.admissionregistration.k8s.io': validatingBindingRules,
  'priorityclasses.scheduling.k8s.io': priorityClassRules,
  'runtimeclasses.node.k8s.io': runtimeClassRules,
  'storageclasses.storage.k8s.io': storageClassRules,
  'validatingwebhookconfigurations.admissionregistration.k8s.io': webhookConfigurationRules,
}
