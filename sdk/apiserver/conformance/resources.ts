/** How a case's short words for a resource become a URL and a body. */
export interface CaseResource {
  readonly apiVersion: string
  readonly kind: string
  readonly namespaced: boolean
}

const of = (apiVersion: string, kind: string, namespaced = true): CaseResource => ({
  apiVersion,
  kind,
  namespaced,
})

/** The resources the cases speak of, by plural. */
export const caseResources: Readonly<Record<string, CaseResource>> = {
  configmaps: of('v1', 'ConfigMap'),
  endpoints: of('v1', 'Endpoints'),
  events: of('v1', 'Event'),
  limitranges: of('v1', 'LimitRange'),
  namespaces: of('v1', 'Namespace', false),
  nodes: of('v1', 'Node', false),
  persistentvolumeclaims: of('v1', 'PersistentVolumeClaim'),
  persistentvolumes: of('v1', 'PersistentVolume', false),
  podtemplates: of('v1', 'PodTemplate'),
  pods: of('v1', 'Pod'),
  replicationcontrollers: of('v1', 'ReplicationController'),
  resourcequotas: of('v1', 'ResourceQuota'),
  secrets: of('v1', 'Secret'),
  serviceaccounts: of('v1', 'ServiceAccount'),
  services: of('v1', 'Service'),
  deployments: of('apps/v1', 'Deployment'),
  replicasets: of('apps/v1', 'ReplicaSet'),
  statefulsets: of('apps/v1', 'StatefulSet'),
  daemonsets: of('apps/v1', 'DaemonSet'),
  horizontalpodautoscalers: of('autoscaling/v2', 'HorizontalPodAutoscaler'),
  jobs: of('batch/v1', 'Job'),
  cronjobs: of('batch/v1', 'CronJob'),
  controllerrevisions: of('apps/v1', 'ControllerRevision'),
  leases: of('coordination.k8s.io/v1', 'Lease'),
  endpointslices: of('discovery.k8s.io/v1', 'EndpointSlice'),
  ingresses: of('networking.k8s.io/v1', 'Ingress'),
  ingressclasses: of('networking.k8s.io/v1', 'IngressClass', false),
  networkpolicies: of('networking.k8s.io/v1', 'NetworkPolicy'),
  poddisruptionbudgets: of('policy/v1', 'PodDisruptionBudget'),
  roles: of('rbac.authorization.k8s.io/v1', 'Role'),
  rolebindings: of('rbac.authorization.k8s.io/v1', 'RoleBinding'),
  clusterroles: of('rbac.authorization.k8s.io/v1', 'ClusterRole', false),
  clusterrolebindings: of('rbac.authorization.k8s.io/v1', 'ClusterRoleBinding', false),
  priorityclasses: of('scheduling.k8s.io/v1', 'PriorityClass', false),
  runtimeclasses: of('node.k8s.io/v1', 'RuntimeClass', false),
  csidrivers: of('storage.k8s.io/v1', 'CSIDriver', false),
  csinodes: of('storage.k8s.io/v1', 'CSINode', false),
  volumeattachments: of('storage.k8s.io/v1', 'VolumeAttachment', false),
  volumeattributesclasses: of('storage.k8s.io/v1', 'VolumeAttributesClass', false),
  mutatingwebhookconfigurations: of('admissionregistration.k8s.io/v1', 'MutatingWebhookConfiguration', false),
  validatingwebhookconfigurations: of(
    'admissionregistration.k8s.io/v1',
    'ValidatingWebhookConfiguration',
    false,
  ),
  validatingadmissionpolicies: of('admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicy', false),
  validatingadmissionpolicybindings: of(
    'admissionregistration.k8s.io/v1',
    'ValidatingAdmissionPolicyBinding',
    false,
  ),
  mutatingadmissionpolicybindings: of(
    'admissionregistration.k8s.io/v1',
    'MutatingAdmissionPolicyBinding',
    false,
  ),
  ipaddresses: of('networking.k8s.io/v1', 'IPAddress', false),
  servicecidrs: of('networking.k8s.io/v1', 'ServiceCIDR', false),
  storageclasses: of('storage.k8s.io/v1', 'StorageClass', false),
  customresourcedefinitions: of('apiextensions.k8s.io/v1', 'CustomResourceDefinition', false),
  tokenreviews: of('authentication.k8s.io/v1', 'TokenReview', false),
  selfsubjectreviews: of('authentication.k8s.io/v1', 'SelfSubjectReview', false),
  selfsubjectaccessreviews: of('authorization.k8s.io/v1', 'SelfSubjectAccessReview', false),
  selfsubjectrulesreviews: of('authorization.k8s.io/v1', 'SelfSubjectRulesReview', false),
  subjectaccessreviews: of('authorization.k8s.io/v1', 'SubjectAccessReview', false),
  localsubjectaccessreviews: of('authorization.k8s.io/v1', 'LocalSubjectAccessReview'),
}
