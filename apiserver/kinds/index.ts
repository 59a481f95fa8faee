import { type OpenObject, recordOf, textAt } from '../base/object.js'
import type { KindRules } from '../resources/kind-rules.js'
import { apiServiceRules } from './api-service.js'
import { cronJobRules } from './batch/cron-job.js'
import { jobRules } from './batch/job.js'
import { priorityClassRules, runtimeClassRules, storageClassRules } from './classes.js'
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
import { namespaceRules } from './namespace.js'
import { networkPolicyRules } from './network-policy.js'
import { nodeRules } from './node.js'
import { podRules } from './pod.js'
import { podDisruptionBudgetRules } from './pod-disruption-budget.js'
import { withoutGatedFields } from './pod-spec/gated-fields.js'
import { mutatingPolicyRules } from './policies/mutating-policy.js'
import { mutatingBindingRules, validatingBindingRules } from './policies/policy-binding.js'
import { validatingPolicyRules } from './policies/validating-policy.js'
import { clusterRoleBindingRules, clusterRoleRules, roleBindingRules, roleRules } from './rbac.js'
import { secretRules } from './secret.js'
import { serviceRules } from './service/service.js'
import { CLASS_PROTECTION, claimRules, protect, volumeRules } from './volumes.js'
import { webhookConfigurationRules } from './webhook-configuration.js'
import { daemonSetRules } from './workloads/daemon-set.js'
import { deploymentRules } from './workloads/deployment.js'
import { replicaSetRules } from './workloads/replica-set.js'
import { replicationControllerRules } from './workloads/replication-controller.js'
import { statefulSetRules } from './workloads/stateful-set.js'

const counted: KindRules = { generation: true }

/** Only the names of a service account's Secrets are stored. */
function keepSecretNames(object: OpenObject): undefined {
  if (!Array.isArray(object.secrets)) return
  object.secrets = object.secrets.map((secret) => {
    const { name } = recordOf(secret)
    return name === undefined ? {} : { name }
  })
}

const attachmentRules: KindRules = {
  returnsDeleted: true,
  versionedUpdate: true,
  metadataOnUpdate: 'new',
  statusKeeps: 'metadata',
}

const MOUNTABLE = 'kubernetes.io/enforce-mountable-secrets'

/** `pkg/registry/core/serviceaccount/strategy.go` of Kubernetes v1.36.3. */
const serviceAccountRules: KindRules = {
  returnsDeleted: true,
  prepareCreate: keepSecretNames,
  prepareUpdate: keepSecretNames,
  warnings({ metadata }) {
    if (metadata.annotations?.[MOUNTABLE] !== 'true') return []
    const advice = 'deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets'
    return [`metadata.annotations[${MOUNTABLE}]: ${advice}`]
  },
}

/** `WarningsOnCreate` of a CSIDriver of Kubernetes v1.36.3. */
function driverWarnings({ spec }: OpenObject): string[] {
  const { tokenRequests, serviceAccountTokenInSecrets } = recordOf(spec)
  const isAsked = Array.isArray(tokenRequests) && tokenRequests.length > 0
  if (!isAsked || serviceAccountTokenInSecrets !== undefined) return []
  const advice = 'set to true to prevent possible logging of tokens in volume attributes'
  return [`spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, ${advice}`]
}

/** Drops a field of a feature that is off by default. */
function dropGatedDriverFields(object: OpenObject): undefined {
  const { preventPodSchedulingIfMissing: _gated, ...spec } = recordOf(object.spec)
  if (_gated !== undefined) object.spec = spec
}

const volumeAttributesClassRules: KindRules = {
  prepareCreate(object) {
    protect(object, CLASS_PROTECTION)
  },
}

const podTemplateRules: KindRules = { generation: true, returnsDeleted: true, metadataOnUpdate: 'change' }

/** The rules of all kinds that have any, by `plural` or `plural.group`. */
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
  nodes: nodeRules,
  persistentvolumeclaims: claimRules,
  persistentvolumes: volumeRules,
  pods: withoutGatedFields(podRules, 'spec'),
  podtemplates: withoutGatedFields(podTemplateRules, 'template', 'spec'),
  replicationcontrollers: withoutGatedFields(replicationControllerRules, 'spec', 'template', 'spec'),
  resourcequotas: { returnsDeleted: true, metadataOnUpdate: 'change' },
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
  'certificatesigningrequests.certificates.k8s.io': {
    selectable: { 'spec.signerName': (object) => textAt(object, 'spec', 'signerName') },
  },
  'endpointslices.discovery.k8s.io': endpointSliceRules,
  'ingresses.networking.k8s.io': ingressRules,
  'ingressclasses.networking.k8s.io': counted,
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
  'csidrivers.storage.k8s.io': {
    generation: 'from zero',
    warnings: driverWarnings,
    updateWarnings: driverWarnings,
    prepareCreate: dropGatedDriverFields,
    prepareUpdate: dropGatedDriverFields,
    returnsDeleted: true,
    versionedUpdate: true,
    metadataOnUpdate: 'change',
  },
  'csinodes.storage.k8s.io': { returnsDeleted: true, versionedUpdate: true, metadataOnUpdate: 'new' },
  'csistoragecapacities.storage.k8s.io': { versionedUpdate: true },
  limitranges: { createOnUpdate: true, metadataOnUpdate: 'new' },
  'volumeattachments.storage.k8s.io': attachmentRules,
  'servicecidrs.networking.k8s.io': { metadataOnUpdate: 'change', statusKeeps: 'metadata' },
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
