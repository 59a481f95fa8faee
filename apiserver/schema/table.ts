// Made by test/go/schema-table from k8s.io/api, k8s.io/apiextensions-apiserver and k8s.io/kube-aggregator v0.36.3; do
// not edit.

/** The type of each built-in kind, by `apiVersion/kind`. */
export const kindTypes: Readonly<Record<string, string>> = {
  'admissionregistration.k8s.io/v1/MutatingAdmissionPolicy':
    'admissionregistration/v1.MutatingAdmissionPolicy',
  'admissionregistration.k8s.io/v1/MutatingAdmissionPolicyBinding':
    'admissionregistration/v1.MutatingAdmissionPolicyBinding',
  'admissionregistration.k8s.io/v1/MutatingWebhookConfiguration':
    'admissionregistration/v1.MutatingWebhookConfiguration',
  'admissionregistration.k8s.io/v1/ValidatingAdmissionPolicy':
    'admissionregistration/v1.ValidatingAdmissionPolicy',
  'admissionregistration.k8s.io/v1/ValidatingAdmissionPolicyBinding':
    'admissionregistration/v1.ValidatingAdmissionPolicyBinding',
  'admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration':
    'admissionregistration/v1.ValidatingWebhookConfiguration',
  'apiextensions.k8s.io/v1/CustomResourceDefinition': 'apiextensions/v1.CustomResourceDefinition',
  'apiregistration.k8s.io/v1/APIService': 'apiregistration/v1.APIService',
  'apps/v1/ControllerRevision': 'apps/v1.ControllerRevision',
  'apps/v1/DaemonSet': 'apps/v1.DaemonSet',
  'apps/v1/Deployment': 'apps/v1.Deployment',
  'apps/v1/ReplicaSet': 'apps/v1.ReplicaSet',
  'apps/v1/StatefulSet': 'apps/v1.StatefulSet',
  'authentication.k8s.io/v1/SelfSubjectReview': 'authentication/v1.SelfSubjectReview',
  'authentication.k8s.io/v1/TokenRequest': 'authentication/v1.TokenRequest',
  'authentication.k8s.io/v1/TokenReview': 'authentication/v1.TokenReview',
  'authorization.k8s.io/v1/LocalSubjectAccessReview': 'authorization/v1.LocalSubjectAccessReview',
  'authorization.k8s.io/v1/SelfSubjectAccessReview': 'authorization/v1.SelfSubjectAccessReview',
  'authorization.k8s.io/v1/SelfSubjectRulesReview': 'authorization/v1.SelfSubjectRulesReview',
  'authorization.k8s.io/v1/SubjectAccessReview': 'authorization/v1.SubjectAccessReview',
  'autoscaling/v1/HorizontalPodAutoscaler': 'autoscaling/v1.HorizontalPodAutoscaler',
  'autoscaling/v1/Scale': 'autoscaling/v1.Scale',
  'autoscaling/v2/HorizontalPodAutoscaler': 'autoscaling/v2.HorizontalPodAutoscaler',
  'batch/v1/CronJob': 'batch/v1.CronJob',
  'batch/v1/Job': 'batch/v1.Job',
  'certificates.k8s.io/v1/CertificateSigningRequest': 'certificates/v1.CertificateSigningRequest',
  'coordination.k8s.io/v1/Lease': 'coordination/v1.Lease',
  'discovery.k8s.io/v1/EndpointSlice': 'discovery/v1.EndpointSlice',
  'events.k8s.io/v1/Event': 'events/v1.Event',
  'flowcontrol.apiserver.k8s.io/v1/FlowSchema': 'flowcontrol/v1.FlowSchema',
  'flowcontrol.apiserver.k8s.io/v1/PriorityLevelConfiguration': 'flowcontrol/v1.PriorityLevelConfiguration',
  'networking.k8s.io/v1/IPAddress': 'networking/v1.IPAddress',
  'networking.k8s.io/v1/Ingress': 'networking/v1.Ingress',
  'networking.k8s.io/v1/IngressClass': 'networking/v1.IngressClass',
  'networking.k8s.io/v1/NetworkPolicy': 'networking/v1.NetworkPolicy',
  'networking.k8s.io/v1/ServiceCIDR': 'networking/v1.ServiceCIDR',
  'node.k8s.io/v1/RuntimeClass': 'node/v1.RuntimeClass',
  'policy/v1/Eviction': 'policy/v1.Eviction',
  'policy/v1/PodDisruptionBudget': 'policy/v1.PodDisruptionBudget',
  'rbac.authorization.k8s.io/v1/ClusterRole': 'rbac/v1.ClusterRole',
  'rbac.authorization.k8s.io/v1/ClusterRoleBinding': 'rbac/v1.ClusterRoleBinding',
  'rbac.authorization.k8s.io/v1/Role': 'rbac/v1.Role',
  'rbac.authorization.k8s.io/v1/RoleBinding': 'rbac/v1.RoleBinding',
  'resource.k8s.io/v1/DeviceClass': 'resource/v1.DeviceClass',
  'resource.k8s.io/v1/ResourceClaim': 'resource/v1.ResourceClaim',
  'resource.k8s.io/v1/ResourceClaimTemplate': 'resource/v1.ResourceClaimTemplate',
  'resource.k8s.io/v1/ResourceSlice': 'resource/v1.ResourceSlice',
  'scheduling.k8s.io/v1/PriorityClass': 'scheduling/v1.PriorityClass',
  'storage.k8s.io/v1/CSIDriver': 'storage/v1.CSIDriver',
  'storage.k8s.io/v1/CSINode': 'storage/v1.CSINode',
  'storage.k8s.io/v1/CSIStorageCapacity': 'storage/v1.CSIStorageCapacity',
  'storage.k8s.io/v1/StorageClass': 'storage/v1.StorageClass',
  'storage.k8s.io/v1/VolumeAttachment': 'storage/v1.VolumeAttachment',
  'storage.k8s.io/v1/VolumeAttributesClass': 'storage/v1.VolumeAttributesClass',
  'v1/Binding': 'core/v1.Binding',
  'v1/ComponentStatus': 'core/v1.ComponentStatus',
  'v1/ConfigMap': 'core/v1.ConfigMap',
  'v1/Endpoints': 'core/v1.Endpoints',
  'v1/Event': 'core/v1.Event',
  'v1/LimitRange': 'core/v1.LimitRange',
  'v1/Namespace': 'core/v1.Namespace',
  'v1/Node': 'core/v1.Node',
  'v1/PersistentVolume': 'core/v1.PersistentVolume',
  'v1/PersistentVolumeClaim': 'core/v1.PersistentVolumeClaim',
  'v1/Pod': 'core/v1.Pod',
  'v1/PodStatusResult': 'core/v1.PodStatusResult',
  'v1/PodTemplate': 'core/v1.PodTemplate',
  'v1/RangeAllocation': 'core/v1.RangeAllocation',
  'v1/ReplicationController': 'core/v1.ReplicationController',
  'v1/ResourceQuota': 'core/v1.ResourceQuota',
  'v1/Secret': 'core/v1.Secret',
  'v1/Service': 'core/v1.Service',
  'v1/ServiceAccount': 'core/v1.ServiceAccount',
}

/**
 * The fields of each type, one word each: `name:number:type`, then flags: `mergeKey=…` or `set` where lists
 * are merged, `keep` without `omitempty`, so that an empty value is written out, `omitzero` where Go leaves out a zero
 * value of any type, `retainKeys` if a patch lists what stays,
 * `replace` if it puts an object in the place of another.
 * `number` is the protobuf field, `^` as the name means that the fields of the type stand in its place, `*`,
 * `[]` and `{}` before a type are a pointer, a list and a map, `#` is another type of this table, and
 * `<…>` before a type is the name that Go has for it.
 */
export const structFields: Readonly<Record<string, string>> = {
  'admissionregistration/v1.ApplyConfiguration': 'expression:1:string',
  'admissionregistration/v1.AuditAnnotation': 'key:1:string:keep valueExpression:2:string:keep',
  'admissionregistration/v1.ExpressionWarning': 'fieldRef:2:string:keep warning:3:string:keep',
  'admissionregistration/v1.JSONPatch': 'expression:1:string',
  'admissionregistration/v1.MatchCondition': 'name:1:string:keep expression:2:string:keep',
  'admissionregistration/v1.MatchResources':
    'namespaceSelector:1:*#meta/v1.LabelSelector objectSelector:2:*#meta/v1.LabelSelector resourceRules:3:[]#admissionregistration/v1.NamedRuleWithOperations excludeResourceRules:4:[]#admissionregistration/v1.NamedRuleWithOperations matchPolicy:7:*<v1.MatchPolicyType>string',
  'admissionregistration/v1.MutatingAdmissionPolicy':
    'metadata:1:#meta/v1.ObjectMeta spec:2:#admissionregistration/v1.MutatingAdmissionPolicySpec',
  'admissionregistration/v1.MutatingAdmissionPolicyBinding':
    'metadata:1:#meta/v1.ObjectMeta spec:2:#admissionregistration/v1.MutatingAdmissionPolicyBindingSpec',
  'admissionregistration/v1.MutatingAdmissionPolicyBindingSpec':
    'policyName:1:string paramRef:2:*#admissionregistration/v1.ParamRef matchResources:3:*#admissionregistration/v1.MatchResources',
  'admissionregistration/v1.MutatingAdmissionPolicySpec':
    'paramKind:1:*#admissionregistration/v1.ParamKind matchConstraints:2:*#admissionregistration/v1.MatchResources variables:3:[]#admissionregistration/v1.Variable mutations:4:[]#admissionregistration/v1.Mutation failurePolicy:5:*<v1.FailurePolicyType>string matchConditions:6:[]#admissionregistration/v1.MatchCondition:mergeKey=name reinvocationPolicy:7:<v1.ReinvocationPolicyType>string',
  'admissionregistration/v1.MutatingWebhook':
    'name:1:string:keep clientConfig:2:#admissionregistration/v1.WebhookClientConfig:keep rules:3:[]#admissionregistration/v1.RuleWithOperations failurePolicy:4:*<v1.FailurePolicyType>string matchPolicy:9:*<v1.MatchPolicyType>string namespaceSelector:5:*#meta/v1.LabelSelector objectSelector:11:*#meta/v1.LabelSelector sideEffects:6:*<v1.SideEffectClass>string:keep timeoutSeconds:7:*int admissionReviewVersions:8:[]string:keep reinvocationPolicy:10:*<v1.ReinvocationPolicyType>string matchConditions:12:[]#admissionregistration/v1.MatchCondition:mergeKey=name',
  'admissionregistration/v1.MutatingWebhookConfiguration':
    'metadata:1:#meta/v1.ObjectMeta webhooks:2:[]#admissionregistration/v1.MutatingWebhook:mergeKey=name',
  'admissionregistration/v1.Mutation':
    'patchType:2:<v1.PatchType>string:keep applyConfiguration:3:*#admissionregistration/v1.ApplyConfiguration jsonPatch:4:*#admissionregistration/v1.JSONPatch',
  'admissionregistration/v1.NamedRuleWithOperations':
    'resourceNames:1:[]string ^:2:#admissionregistration/v1.RuleWithOperations',
  'admissionregistration/v1.ParamKind': 'apiVersion:1:string kind:2:string',
  'admissionregistration/v1.ParamRef':
    'name:1:string namespace:2:string selector:3:*#meta/v1.LabelSelector parameterNotFoundAction:4:*<v1.ParameterNotFoundActionType>string',
  'admissionregistration/v1.Rule':
    'apiGroups:1:[]string apiVersions:2:[]string resources:3:[]string scope:4:*<v1.ScopeType>string',
  'admissionregistration/v1.RuleWithOperations':
    'operations:1:[]<v1.OperationType>string ^:2:#admissionregistration/v1.Rule',
  'admissionregistration/v1.ServiceReference':
    'namespace:1:string:keep name:2:string:keep path:3:*string port:4:*int',
  'admissionregistration/v1.TypeChecking':
    'expressionWarnings:1:[]#admissionregistration/v1.ExpressionWarning',
  'admissionregistration/v1.ValidatingAdmissionPolicy':
    'metadata:1:#meta/v1.ObjectMeta spec:2:#admissionregistration/v1.ValidatingAdmissionPolicySpec status:3:#admissionregistration/v1.ValidatingAdmissionPolicyStatus',
  'admissionregistration/v1.ValidatingAdmissionPolicyBinding':
    'metadata:1:#meta/v1.ObjectMeta spec:2:#admissionregistration/v1.ValidatingAdmissionPolicyBindingSpec',
  'admissionregistration/v1.ValidatingAdmissionPolicyBindingSpec':
    'policyName:1:string paramRef:2:*#admissionregistration/v1.ParamRef matchResources:3:*#admissionregistration/v1.MatchResources validationActions:4:[]<v1.ValidationAction>string',
  'admissionregistration/v1.ValidatingAdmissionPolicySpec':
    'paramKind:1:*#admissionregistration/v1.ParamKind matchConstraints:2:*#admissionregistration/v1.MatchResources validations:3:[]#admissionregistration/v1.Validation failurePolicy:4:*<v1.FailurePolicyType>string auditAnnotations:5:[]#admissionregistration/v1.AuditAnnotation matchConditions:6:[]#admissionregistration/v1.MatchCondition:mergeKey=name variables:7:[]#admissionregistration/v1.Variable:mergeKey=name',
  'admissionregistration/v1.ValidatingAdmissionPolicyStatus':
    'observedGeneration:1:int typeChecking:2:*#admissionregistration/v1.TypeChecking conditions:3:[]#meta/v1.Condition',
  'admissionregistration/v1.ValidatingWebhook':
    'name:1:string:keep clientConfig:2:#admissionregistration/v1.WebhookClientConfig:keep rules:3:[]#admissionregistration/v1.RuleWithOperations failurePolicy:4:*<v1.FailurePolicyType>string matchPolicy:9:*<v1.MatchPolicyType>string namespaceSelector:5:*#meta/v1.LabelSelector objectSelector:10:*#meta/v1.LabelSelector sideEffects:6:*<v1.SideEffectClass>string:keep timeoutSeconds:7:*int admissionReviewVersions:8:[]string:keep matchConditions:11:[]#admissionregistration/v1.MatchCondition:mergeKey=name',
  'admissionregistration/v1.ValidatingWebhookConfiguration':
    'metadata:1:#meta/v1.ObjectMeta webhooks:2:[]#admissionregistration/v1.ValidatingWebhook:mergeKey=name',
  'admissionregistration/v1.Validation':
    'expression:1:string:keep message:2:string reason:3:*<v1.StatusReason>string messageExpression:4:string',
  'admissionregistration/v1.Variable': 'name:1:string:keep expression:2:string:keep',
  'admissionregistration/v1.WebhookClientConfig':
    'url:3:*string service:1:*#admissionregistration/v1.ServiceReference caBundle:2:bytes',
  'apiextensions/v1.CustomResourceColumnDefinition':
    'name:1:string:keep type:2:string:keep format:3:string description:4:string priority:5:int jsonPath:6:string:keep',
  'apiextensions/v1.CustomResourceConversion':
    'strategy:1:<v1.ConversionStrategyType>string:keep webhook:2:*#apiextensions/v1.WebhookConversion',
  'apiextensions/v1.CustomResourceDefinition':
    'metadata:1:#meta/v1.ObjectMeta spec:2:#apiextensions/v1.CustomResourceDefinitionSpec:keep status:3:#apiextensions/v1.CustomResourceDefinitionStatus',
  'apiextensions/v1.CustomResourceDefinitionCondition':
    'type:1:<v1.CustomResourceDefinitionConditionType>string:keep status:2:<v1.ConditionStatus>string:keep lastTransitionTime:3:time reason:4:string message:5:string observedGeneration:6:int',
  'apiextensions/v1.CustomResourceDefinitionNames':
    'plural:1:string:keep singular:2:string shortNames:3:[]string kind:4:string:keep listKind:5:string categories:6:[]string',
  'apiextensions/v1.CustomResourceDefinitionSpec':
    'group:1:string:keep names:3:#apiextensions/v1.CustomResourceDefinitionNames:keep scope:4:<v1.ResourceScope>string:keep versions:7:[]#apiextensions/v1.CustomResourceDefinitionVersion:keep conversion:9:*#apiextensions/v1.CustomResourceConversion preserveUnknownFields:10:bool',
  'apiextensions/v1.CustomResourceDefinitionStatus':
    'conditions:1:[]#apiextensions/v1.CustomResourceDefinitionCondition:keep acceptedNames:2:#apiextensions/v1.CustomResourceDefinitionNames:keep storedVersions:3:[]string:keep observedGeneration:4:int',
  'apiextensions/v1.CustomResourceDefinitionVersion':
    'name:1:string:keep served:2:bool:keep storage:3:bool:keep deprecated:7:bool deprecationWarning:8:*string schema:4:*#apiextensions/v1.CustomResourceValidation subresources:5:*#apiextensions/v1.CustomResourceSubresources additionalPrinterColumns:6:[]#apiextensions/v1.CustomResourceColumnDefinition selectableFields:9:[]#apiextensions/v1.SelectableField',
  'apiextensions/v1.CustomResourceSubresourceScale':
    'specReplicasPath:1:string:keep statusReplicasPath:2:string:keep labelSelectorPath:3:*string',
  'apiextensions/v1.CustomResourceSubresourceStatus': '',
  'apiextensions/v1.CustomResourceSubresources':
    'status:1:*#apiextensions/v1.CustomResourceSubresourceStatus scale:2:*#apiextensions/v1.CustomResourceSubresourceScale',
  'apiextensions/v1.CustomResourceValidation': 'openAPIV3Schema:1:*#apiextensions/v1.JSONSchemaProps',
  'apiextensions/v1.ExternalDocumentation': 'description:1:string url:2:string',
  'apiextensions/v1.JSONSchemaProps':
    'id:1:string $schema:2:<v1.JSONSchemaURL>string $ref:3:*string description:4:string type:5:string format:6:string title:7:string default:8:*anything maximum:9:*float exclusiveMaximum:10:bool minimum:11:*float exclusiveMinimum:12:bool maxLength:13:*int minLength:14:*int pattern:15:string maxItems:16:*int minItems:17:*int uniqueItems:18:bool multipleOf:19:*float enum:20:[]anything maxProperties:21:*int minProperties:22:*int required:23:[]string items:24:*schemaOrList allOf:25:[]#apiextensions/v1.JSONSchemaProps oneOf:26:[]#apiextensions/v1.JSONSchemaProps anyOf:27:[]#apiextensions/v1.JSONSchemaProps not:28:*#apiextensions/v1.JSONSchemaProps properties:29:{}#apiextensions/v1.JSONSchemaProps additionalProperties:30:*schemaOrBool patternProperties:31:{}#apiextensions/v1.JSONSchemaProps dependencies:32:<v1.JSONSchemaDependencies>{}schemaOrStrings additionalItems:33:*schemaOrBool definitions:34:<v1.JSONSchemaDefinitions>{}#apiextensions/v1.JSONSchemaProps externalDocs:35:*#apiextensions/v1.ExternalDocumentation example:36:*anything nullable:37:bool x-kubernetes-preserve-unknown-fields:38:*bool x-kubernetes-embedded-resource:39:bool x-kubernetes-int-or-string:40:bool x-kubernetes-list-map-keys:41:[]string x-kubernetes-list-type:42:*string x-kubernetes-map-type:43:*string x-kubernetes-validations:44:<v1.ValidationRules>[]#apiextensions/v1.ValidationRule:mergeKey=rule',
  'apiextensions/v1.SelectableField': 'jsonPath:1:string:keep',
  'apiextensions/v1.ServiceReference':
    'namespace:1:string:keep name:2:string:keep path:3:*string port:4:*int',
  'apiextensions/v1.ValidationRule':
    'rule:1:string:keep message:2:string messageExpression:3:string reason:4:*<v1.FieldValueErrorReason>string fieldPath:5:string optionalOldSelf:6:*bool',
  'apiextensions/v1.WebhookClientConfig':
    'url:3:*string service:1:*#apiextensions/v1.ServiceReference caBundle:2:bytes',
  'apiextensions/v1.WebhookConversion':
    'clientConfig:2:*#apiextensions/v1.WebhookClientConfig conversionReviewVersions:3:[]string:keep',
  'apiregistration/v1.APIService':
    'metadata:1:#meta/v1.ObjectMeta spec:2:#apiregistration/v1.APIServiceSpec status:3:#apiregistration/v1.APIServiceStatus',
  'apiregistration/v1.APIServiceCondition':
    'type:1:<v1.APIServiceConditionType>string:keep status:2:<v1.ConditionStatus>string:keep lastTransitionTime:3:time reason:4:string message:5:string',
  'apiregistration/v1.APIServiceSpec':
    'service:1:*#apiregistration/v1.ServiceReference group:2:string version:3:string insecureSkipTLSVerify:4:bool caBundle:5:bytes groupPriorityMinimum:7:int:keep versionPriority:8:int:keep',
  'apiregistration/v1.APIServiceStatus':
    'conditions:1:[]#apiregistration/v1.APIServiceCondition:mergeKey=type',
  'apiregistration/v1.ServiceReference': 'namespace:1:string name:2:string port:3:*int',
  'apps/v1.ControllerRevision': 'metadata:1:#meta/v1.ObjectMeta data:2:json revision:3:int:keep',
  'apps/v1.DaemonSet':
    'metadata:1:#meta/v1.ObjectMeta spec:2:#apps/v1.DaemonSetSpec status:3:#apps/v1.DaemonSetStatus',
  'apps/v1.DaemonSetCondition':
    'type:1:<v1.DaemonSetConditionType>string:keep status:2:<v1.ConditionStatus>string:keep lastTransitionTime:3:time reason:4:string message:5:string',
  'apps/v1.DaemonSetSpec':
    'selector:1:*#meta/v1.LabelSelector:keep template:2:#core/v1.PodTemplateSpec:keep updateStrategy:3:#apps/v1.DaemonSetUpdateStrategy minReadySeconds:4:int revisionHistoryLimit:6:*int',
  'apps/v1.DaemonSetStatus':
    'currentNumberScheduled:1:int:keep numberMisscheduled:2:int:keep desiredNumberScheduled:3:int:keep numberReady:4:int:keep observedGeneration:5:int updatedNumberScheduled:6:int numberAvailable:7:int numberUnavailable:8:int collisionCount:9:*int conditions:10:[]#apps/v1.DaemonSetCondition:mergeKey=type',
  'apps/v1.DaemonSetUpdateStrategy':
    'type:1:<v1.DaemonSetUpdateStrategyType>string rollingUpdate:2:*#apps/v1.RollingUpdateDaemonSet',
  'apps/v1.Deployment':
    'metadata:1:#meta/v1.ObjectMeta spec:2:#apps/v1.DeploymentSpec status:3:#apps/v1.DeploymentStatus',
  'apps/v1.DeploymentCondition':
    'type:1:<v1.DeploymentConditionType>string:keep status:2:<v1.ConditionStatus>string:keep lastUpdateTime:6:time lastTransitionTime:7:time reason:4:string message:5:string',
  'apps/v1.DeploymentSpec':
    'replicas:1:*int selector:2:*#meta/v1.LabelSelector:keep template:3:#core/v1.PodTemplateSpec:keep strategy:4:#apps/v1.DeploymentStrategy:retainKeys minReadySeconds:5:int revisionHistoryLimit:6:*int paused:7:bool progressDeadlineSeconds:9:*int',
  'apps/v1.DeploymentStatus':
    'observedGeneration:1:int replicas:2:int updatedReplicas:3:int readyReplicas:7:int availableReplicas:4:int unavailableReplicas:5:int terminatingReplicas:9:*int conditions:6:[]#apps/v1.DeploymentCondition:mergeKey=type collisionCount:8:*int',
  'apps/v1.DeploymentStrategy':
    'type:1:<v1.DeploymentStrategyType>string rollingUpdate:2:*#apps/v1.RollingUpdateDeployment',
  'apps/v1.ReplicaSet':
    'metadata:1:#meta/v1.ObjectMeta spec:2:#apps/v1.ReplicaSetSpec status:3:#apps/v1.ReplicaSetStatus',
  'apps/v1.ReplicaSetCondition':
    'type:1:<v1.ReplicaSetConditionType>string:keep status:2:<v1.ConditionStatus>string:keep lastTransitionTime:3:time reason:4:string message:5:string',
  'apps/v1.ReplicaSetSpec':
    'replicas:1:*int minReadySeconds:4:int selector:2:*#meta/v1.LabelSelector:keep template:3:#core/v1.PodTemplateSpec',
  'apps/v1.ReplicaSetStatus':
    'replicas:1:int:keep fullyLabeledReplicas:2:int readyReplicas:4:int availableReplicas:5:int terminatingReplicas:7:*int observedGeneration:3:int conditions:6:[]#apps/v1.ReplicaSetCondition:mergeKey=type',
  'apps/v1.RollingUpdateDaemonSet': 'maxUnavailable:1:*intOrString maxSurge:2:*intOrString',
  'apps/v1.RollingUpdateDeployment': 'maxUnavailable:1:*intOrString maxSurge:2:*intOrString',
  'apps/v1.RollingUpdateStatefulSetStrategy': 'partition:1:*int maxUnavailable:2:*intOrString',
  'apps/v1.StatefulSet':
    'metadata:1:#meta/v1.ObjectMeta spec:2:#apps/v1.StatefulSetSpec status:3:#apps/v1.StatefulSetStatus',
  'apps/v1.StatefulSetCondition':
    'type:1:<v1.StatefulSetConditionType>string:keep status:2:<v1.ConditionStatus>string:keep lastTransitionTime:3:time reason:4:string message:5:string',
  'apps/v1.StatefulSetOrdinals': 'start:1:int:keep',
  'apps/v1.StatefulSetPersistentVolumeClaimRetentionPolicy':
    'whenDeleted:1:<v1.PersistentVolumeClaimRetentionPolicyType>string whenScaled:2:<v1.PersistentVolumeClaimRetentionPolicyType>string',
  'apps/v1.StatefulSetSpec':
    'replicas:1:*int selector:2:*#meta/v1.LabelSelector:keep template:3:#core/v1.PodTemplateSpec:keep volumeClaimTemplates:4:[]#core/v1.PersistentVolumeClaim serviceName:5:string:keep podManagementPolicy:6:<v1.PodManagementPolicyType>string updateStrategy:7:#apps/v1.StatefulSetUpdateStrategy revisionHistoryLimit:8:*int minReadySeconds:9:int persistentVolumeClaimRetentionPolicy:10:*#apps/v1.StatefulSetPersistentVolumeClaimRetentionPolicy ordinals:11:*#apps/v1.StatefulSetOrdinals',
  'apps/v1.StatefulSetStatus':
    'observedGeneration:1:int replicas:2:int:keep readyReplicas:3:int currentReplicas:4:int updatedReplicas:5:int currentRevision:6:string updateRevision:7:string collisionCount:9:*int conditions:10:[]#apps/v1.StatefulSetCondition:mergeKey=type availableReplicas:11:int:keep',
  'apps/v1.StatefulSetUpdateStrategy':
    'type:1:<v1.StatefulSetUpdateStrategyType>string rollingUpdate:2:*#apps/v1.RollingUpdateStatefulSetStrategy',
  'authentication/v1.BoundObjectReference':
    'kind:1:string apiVersion:2:string name:3:string uid:4:<types.UID>string',
  'authentication/v1.SelfSubjectReview':
    'metadata:1:#meta/v1.ObjectMeta status:2:#authentication/v1.SelfSubjectReviewStatus',
  'authentication/v1.SelfSubjectReviewStatus': 'userInfo:1:#authentication/v1.UserInfo',
  'authentication/v1.TokenRequest':
    'metadata:1:#meta/v1.ObjectMeta spec:2:#authentication/v1.TokenRequestSpec:keep status:3:#authentication/v1.TokenRequestStatus',
  'authentication/v1.TokenRequestSpec':
    'audiences:1:[]string:keep expirationSeconds:4:*int:keep boundObjectRef:3:*#authentication/v1.BoundObjectReference:keep',
  'authentication/v1.TokenRequestStatus': 'token:1:string:keep expirationTimestamp:2:time:keep',
  'authentication/v1.TokenReview':
    'metadata:1:#meta/v1.ObjectMeta spec:2:#authentication/v1.TokenReviewSpec:keep status:3:#authentication/v1.TokenReviewStatus',
  'authentication/v1.TokenReviewSpec': 'token:1:string audiences:2:[]string',
  'authentication/v1.TokenReviewStatus':
    'authenticated:1:bool user:2:#authentication/v1.UserInfo audiences:4:[]string error:3:string',
  'authentication/v1.UserInfo':
    'username:1:string uid:2:string groups:3:[]string extra:4:{}<v1.ExtraValue>[]string',
  'authorization/v1.FieldSelectorAttributes':
    'rawSelector:1:string requirements:2:[]#meta/v1.FieldSelectorRequirement',
  'authorization/v1.LabelSelectorAttributes':
    'rawSelector:1:string requirements:2:[]#meta/v1.LabelSelectorRequirement',
  'authorization/v1.LocalSubjectAccessReview':
    'metadata:1:#meta/v1.ObjectMeta spec:2:#authorization/v1.SubjectAccessReviewSpec:keep status:3:#authorization/v1.SubjectAccessReviewStatus',
  'authorization/v1.NonResourceAttributes': 'path:1:string verb:2:string',
  'authorization/v1.NonResourceRule': 'verbs:1:[]string:keep nonResourceURLs:2:[]string',
  'authorization/v1.ResourceAttributes':
    'namespace:1:string verb:2:string group:3:string version:4:string resource:5:string subresource:6:string name:7:string fieldSelector:8:*#authorization/v1.FieldSelectorAttributes labelSelector:9:*#authorization/v1.LabelSelectorAttributes',
  'authorization/v1.ResourceRule':
    'verbs:1:[]string:keep apiGroups:2:[]string resources:3:[]string resourceNames:4:[]string',
  'authorization/v1.SelfSubjectAccessReview':
    'metadata:1:#meta/v1.ObjectMeta spec:2:#authorization/v1.SelfSubjectAccessReviewSpec:keep status:3:#authorization/v1.SubjectAccessReviewStatus',
  'authorization/v1.SelfSubjectAccessReviewSpec':
    'resourceAttributes:1:*#authorization/v1.ResourceAttributes nonResourceAttributes:2:*#authorization/v1.NonResourceAttributes',
  'authorization/v1.SelfSubjectRulesReview':
    'metadata:1:#meta/v1.ObjectMeta spec:2:#authorization/v1.SelfSubjectRulesReviewSpec:keep status:3:#authorization/v1.SubjectRulesReviewStatus',
  'authorization/v1.SelfSubjectRulesReviewSpec': 'namespace:1:string',
  'authorization/v1.SubjectAccessReview':
    'metadata:1:#meta/v1.ObjectMeta spec:2:#authorization/v1.SubjectAccessReviewSpec:keep status:3:#authorization/v1.SubjectAccessReviewStatus',
  'authorization/v1.SubjectAccessReviewSpec':
    'resourceAttributes:1:*#authorization/v1.ResourceAttributes nonResourceAttributes:2:*#authorization/v1.NonResourceAttributes user:3:string groups:4:[]string extra:5:{}<v1.ExtraValue>[]string uid:6:string',
  'authorization/v1.SubjectAccessReviewStatus':
    'allowed:1:bool:keep denied:4:bool reason:2:string evaluationError:3:string',
  'authorization/v1.SubjectRulesReviewStatus':
    'resourceRules:1:[]#authorization/v1.ResourceRule:keep nonResourceRules:2:[]#authorization/v1.NonResourceRule:keep incomplete:3:bool:keep evaluationError:4:string',
  'autoscaling/v1.CrossVersionObjectReference': 'kind:1:string:keep name:2:string:keep apiVersion:3:string',
  'autoscaling/v1.HorizontalPodAutoscaler':
    'metadata:1:#meta/v1.ObjectMeta spec:2:#autoscaling/v1.HorizontalPodAutoscalerSpec status:3:#autoscaling/v1.HorizontalPodAutoscalerStatus',
  'autoscaling/v1.HorizontalPodAutoscalerSpec':
    'scaleTargetRef:1:#autoscaling/v1.CrossVersionObjectReference:keep minReplicas:2:*int maxReplicas:3:int:keep targetCPUUtilizationPercentage:4:*int',
  'autoscaling/v1.HorizontalPodAutoscalerStatus':
    'observedGeneration:1:*int lastScaleTime:2:*time currentReplicas:3:int:keep desiredReplicas:4:int:keep currentCPUUtilizationPercentage:5:*int',
  'autoscaling/v1.Scale':
    'metadata:1:#meta/v1.ObjectMeta spec:2:#autoscaling/v1.ScaleSpec status:3:#autoscaling/v1.ScaleStatus',
  'autoscaling/v1.ScaleSpec': 'replicas:1:int',
  'autoscaling/v1.ScaleStatus': 'replicas:1:int:keep selector:2:string',
  'autoscaling/v2.ContainerResourceMetricSource':
    'name:1:<v1.ResourceName>string:keep target:2:#autoscaling/v2.MetricTarget:keep container:3:string:keep',
  'autoscaling/v2.ContainerResourceMetricStatus':
    'name:1:<v1.ResourceName>string:keep current:2:#autoscaling/v2.MetricValueStatus:keep container:3:string:keep',
  'autoscaling/v2.CrossVersionObjectReference': 'kind:1:string:keep name:2:string:keep apiVersion:3:string',
  'autoscaling/v2.ExternalMetricSource':
    'metric:1:#autoscaling/v2.MetricIdentifier:keep target:2:#autoscaling/v2.MetricTarget:keep',
  'autoscaling/v2.ExternalMetricStatus':
    'metric:1:#autoscaling/v2.MetricIdentifier:keep current:2:#autoscaling/v2.MetricValueStatus:keep',
  'autoscaling/v2.HPAScalingPolicy':
    'type:1:<v2.HPAScalingPolicyType>string:keep value:2:int:keep periodSeconds:3:int:keep',
  'autoscaling/v2.HPAScalingRules':
    'stabilizationWindowSeconds:3:*int selectPolicy:1:*<v2.ScalingPolicySelect>string policies:2:[]#autoscaling/v2.HPAScalingPolicy tolerance:4:*quantity',
  'autoscaling/v2.HorizontalPodAutoscaler':
    'metadata:1:#meta/v1.ObjectMeta spec:2:#autoscaling/v2.HorizontalPodAutoscalerSpec status:3:#autoscaling/v2.HorizontalPodAutoscalerStatus',
  'autoscaling/v2.HorizontalPodAutoscalerBehavior':
    'scaleUp:1:*#autoscaling/v2.HPAScalingRules scaleDown:2:*#autoscaling/v2.HPAScalingRules',
  'autoscaling/v2.HorizontalPodAutoscalerCondition':
    'type:1:<v2.HorizontalPodAutoscalerConditionType>string:keep status:2:<v1.ConditionStatus>string:keep lastTransitionTime:3:time reason:4:string message:5:string',
  'autoscaling/v2.HorizontalPodAutoscalerSpec':
    'scaleTargetRef:1:#autoscaling/v2.CrossVersionObjectReference:keep minReplicas:2:*int maxReplicas:3:int:keep metrics:4:[]#autoscaling/v2.MetricSpec behavior:5:*#autoscaling/v2.HorizontalPodAutoscalerBehavior',
  'autoscaling/v2.HorizontalPodAutoscalerStatus':
    'observedGeneration:1:*int lastScaleTime:2:*time currentReplicas:3:int desiredReplicas:4:int:keep currentMetrics:5:[]#autoscaling/v2.MetricStatus:keep conditions:6:[]#autoscaling/v2.HorizontalPodAutoscalerCondition:mergeKey=type',
  'autoscaling/v2.MetricIdentifier': 'name:1:string:keep selector:2:*#meta/v1.LabelSelector',
  'autoscaling/v2.MetricSpec':
    'type:1:<v2.MetricSourceType>string:keep object:2:*#autoscaling/v2.ObjectMetricSource pods:3:*#autoscaling/v2.PodsMetricSource resource:4:*#autoscaling/v2.ResourceMetricSource containerResource:7:*#autoscaling/v2.ContainerResourceMetricSource external:5:*#autoscaling/v2.ExternalMetricSource',
  'autoscaling/v2.MetricStatus':
    'type:1:<v2.MetricSourceType>string:keep object:2:*#autoscaling/v2.ObjectMetricStatus pods:3:*#autoscaling/v2.PodsMetricStatus resource:4:*#autoscaling/v2.ResourceMetricStatus containerResource:7:*#autoscaling/v2.ContainerResourceMetricStatus external:5:*#autoscaling/v2.ExternalMetricStatus',
  'autoscaling/v2.MetricTarget':
    'type:1:<v2.MetricTargetType>string:keep value:2:*quantity averageValue:3:*quantity averageUtilization:4:*int',
  'autoscaling/v2.MetricValueStatus': 'value:1:*quantity averageValue:2:*quantity averageUtilization:3:*int',
  'autoscaling/v2.ObjectMetricSource':
    'describedObject:1:#autoscaling/v2.CrossVersionObjectReference:keep target:2:#autoscaling/v2.MetricTarget:keep metric:3:#autoscaling/v2.MetricIdentifier:keep',
  'autoscaling/v2.ObjectMetricStatus':
    'metric:1:#autoscaling/v2.MetricIdentifier:keep current:2:#autoscaling/v2.MetricValueStatus:keep describedObject:3:#autoscaling/v2.CrossVersionObjectReference:keep',
  'autoscaling/v2.PodsMetricSource':
    'metric:1:#autoscaling/v2.MetricIdentifier:keep target:2:#autoscaling/v2.MetricTarget:keep',
  'autoscaling/v2.PodsMetricStatus':
    'metric:1:#autoscaling/v2.MetricIdentifier:keep current:2:#autoscaling/v2.MetricValueStatus:keep',
  'autoscaling/v2.ResourceMetricSource':
    'name:1:<v1.ResourceName>string:keep target:2:#autoscaling/v2.MetricTarget:keep',
  'autoscaling/v2.ResourceMetricStatus':
    'name:1:<v1.ResourceName>string:keep current:2:#autoscaling/v2.MetricValueStatus:keep',
  'batch/v1.CronJob':
    'metadata:1:#meta/v1.ObjectMeta spec:2:#batch/v1.CronJobSpec status:3:#batch/v1.CronJobStatus',
  'batch/v1.CronJobSpec':
    'schedule:1:string:keep timeZone:8:*string startingDeadlineSeconds:2:*int concurrencyPolicy:3:<v1.ConcurrencyPolicy>string suspend:4:*bool jobTemplate:5:#batch/v1.JobTemplateSpec:keep successfulJobsHistoryLimit:6:*int failedJobsHistoryLimit:7:*int',
  'batch/v1.CronJobStatus':
    'active:1:[]#core/v1.ObjectReference lastScheduleTime:4:*time lastSuccessfulTime:5:*time',
  'batch/v1.Job': 'metadata:1:#meta/v1.ObjectMeta spec:2:#batch/v1.JobSpec status:3:#batch/v1.JobStatus',
  'batch/v1.JobCondition':
    'type:1:<v1.JobConditionType>string:keep status:2:<v1.ConditionStatus>string:keep lastProbeTime:3:time lastTransitionTime:4:time reason:5:string message:6:string',
  'batch/v1.JobSpec':
    'parallelism:1:*int completions:2:*int activeDeadlineSeconds:3:*int podFailurePolicy:11:*#batch/v1.PodFailurePolicy successPolicy:16:*#batch/v1.SuccessPolicy backoffLimit:7:*int backoffLimitPerIndex:12:*int maxFailedIndexes:13:*int selector:4:*#meta/v1.LabelSelector manualSelector:5:*bool template:6:#core/v1.PodTemplateSpec:keep ttlSecondsAfterFinished:8:*int completionMode:9:*<v1.CompletionMode>string suspend:10:*bool podReplacementPolicy:14:*<v1.PodReplacementPolicy>string managedBy:15:*string',
  'batch/v1.JobStatus':
    'conditions:1:[]#batch/v1.JobCondition:mergeKey=type startTime:2:*time completionTime:3:*time active:4:int succeeded:5:int failed:6:int terminating:11:*int completedIndexes:7:string failedIndexes:10:*string uncountedTerminatedPods:8:*#batch/v1.UncountedTerminatedPods ready:9:*int',
  'batch/v1.JobTemplateSpec': 'metadata:1:#meta/v1.ObjectMeta spec:2:#batch/v1.JobSpec',
  'batch/v1.PodFailurePolicy': 'rules:1:[]#batch/v1.PodFailurePolicyRule:keep',
  'batch/v1.PodFailurePolicyOnExitCodesRequirement':
    'containerName:1:*string operator:2:<v1.PodFailurePolicyOnExitCodesOperator>string:keep values:3:[]int:keep',
  'batch/v1.PodFailurePolicyOnPodConditionsPattern':
    'type:1:<v1.PodConditionType>string:keep status:2:<v1.ConditionStatus>string:keep',
  'batch/v1.PodFailurePolicyRule':
    'action:1:<v1.PodFailurePolicyAction>string:keep onExitCodes:2:*#batch/v1.PodFailurePolicyOnExitCodesRequirement onPodConditions:3:[]#batch/v1.PodFailurePolicyOnPodConditionsPattern',
  'batch/v1.SuccessPolicy': 'rules:1:[]#batch/v1.SuccessPolicyRule:keep',
  'batch/v1.SuccessPolicyRule': 'succeededIndexes:1:*string succeededCount:2:*int',
  'batch/v1.UncountedTerminatedPods': 'succeeded:1:[]<types.UID>string failed:2:[]<types.UID>string',
  'certificates/v1.CertificateSigningRequest':
    'metadata:1:#meta/v1.ObjectMeta spec:2:#certificates/v1.CertificateSigningRequestSpec:keep status:3:#certificates/v1.CertificateSigningRequestStatus',
  'certificates/v1.CertificateSigningRequestCondition':
    'type:1:<v1.RequestConditionType>string:keep status:6:<v1.ConditionStatus>string:keep reason:2:string message:3:string lastUpdateTime:4:time lastTransitionTime:5:time',
  'certificates/v1.CertificateSigningRequestSpec':
    'request:1:bytes:keep signerName:7:string:keep expirationSeconds:8:*int usages:5:[]<v1.KeyUsage>string username:2:string uid:3:string groups:4:[]string extra:6:{}<v1.ExtraValue>[]string',
  'certificates/v1.CertificateSigningRequestStatus':
    'conditions:1:[]#certificates/v1.CertificateSigningRequestCondition certificate:2:bytes',
  'coordination/v1.Lease': 'metadata:1:#meta/v1.ObjectMeta spec:2:#coordination/v1.LeaseSpec',
  'coordination/v1.LeaseSpec':
    'holderIdentity:1:*string leaseDurationSeconds:2:*int acquireTime:3:*microTime renewTime:4:*microTime leaseTransitions:5:*int strategy:6:*<v1.CoordinatedLeaseStrategy>string preferredHolder:7:*string',
  'core/v1.AWSElasticBlockStoreVolumeSource':
    'volumeID:1:string:keep fsType:2:string partition:3:int readOnly:4:bool',
  'core/v1.Affinity':
    'nodeAffinity:1:*#core/v1.NodeAffinity podAffinity:2:*#core/v1.PodAffinity podAntiAffinity:3:*#core/v1.PodAntiAffinity',
  'core/v1.AppArmorProfile': 'type:1:<v1.AppArmorProfileType>string:keep localhostProfile:2:*string',
  'core/v1.AttachedVolume': 'name:1:<v1.UniqueVolumeName>string:keep devicePath:2:string:keep',
  'core/v1.AzureDiskVolumeSource':
    'diskName:1:string:keep diskURI:2:string:keep cachingMode:3:*<v1.AzureDataDiskCachingMode>string fsType:4:*string readOnly:5:*bool kind:6:*<v1.AzureDataDiskKind>string',
  'core/v1.AzureFilePersistentVolumeSource':
    'secretName:1:string:keep shareName:2:string:keep readOnly:3:bool secretNamespace:4:*string:keep',
  'core/v1.AzureFileVolumeSource': 'secretName:1:string:keep shareName:2:string:keep readOnly:3:bool',
  'core/v1.Binding': 'metadata:1:#meta/v1.ObjectMeta target:2:#core/v1.ObjectReference:keep',
  'core/v1.CSIPersistentVolumeSource':
    'driver:1:string:keep volumeHandle:2:string:keep readOnly:3:bool fsType:4:string volumeAttributes:5:{}string controllerPublishSecretRef:6:*#core/v1.SecretReference nodeStageSecretRef:7:*#core/v1.SecretReference nodePublishSecretRef:8:*#core/v1.SecretReference controllerExpandSecretRef:9:*#core/v1.SecretReference nodeExpandSecretRef:10:*#core/v1.SecretReference',
  'core/v1.CSIVolumeSource':
    'driver:1:string:keep readOnly:2:*bool fsType:3:*string volumeAttributes:4:{}string nodePublishSecretRef:5:*#core/v1.LocalObjectReference',
  'core/v1.Capabilities': 'add:1:[]<v1.Capability>string drop:2:[]<v1.Capability>string',
  'core/v1.CephFSPersistentVolumeSource':
    'monitors:1:[]string:keep path:2:string user:3:string secretFile:4:string secretRef:5:*#core/v1.SecretReference readOnly:6:bool',
  'core/v1.CephFSVolumeSource':
    'monitors:1:[]string:keep path:2:string user:3:string secretFile:4:string secretRef:5:*#core/v1.LocalObjectReference readOnly:6:bool',
  'core/v1.CinderPersistentVolumeSource':
    'volumeID:1:string:keep fsType:2:string readOnly:3:bool secretRef:4:*#core/v1.SecretReference',
  'core/v1.CinderVolumeSource':
    'volumeID:1:string:keep fsType:2:string readOnly:3:bool secretRef:4:*#core/v1.LocalObjectReference',
  'core/v1.ClientIPConfig': 'timeoutSeconds:1:*int',
  'core/v1.ClusterTrustBundleProjection':
    'name:1:*string signerName:2:*string labelSelector:3:*#meta/v1.LabelSelector optional:5:*bool path:4:string:keep',
  'core/v1.ComponentCondition':
    'type:1:<v1.ComponentConditionType>string:keep status:2:<v1.ConditionStatus>string:keep message:3:string error:4:string',
  'core/v1.ComponentStatus':
    'metadata:1:#meta/v1.ObjectMeta conditions:2:[]#core/v1.ComponentCondition:mergeKey=type',
  'core/v1.ConfigMap':
    'metadata:1:#meta/v1.ObjectMeta immutable:4:*bool data:2:{}string binaryData:3:{}bytes',
  'core/v1.ConfigMapEnvSource': '^:1:#core/v1.LocalObjectReference optional:2:*bool',
  'core/v1.ConfigMapKeySelector': '^:1:#core/v1.LocalObjectReference key:2:string:keep optional:3:*bool',
  'core/v1.ConfigMapNodeConfigSource':
    'namespace:1:string:keep name:2:string:keep uid:3:<types.UID>string resourceVersion:4:string kubeletConfigKey:5:string:keep',
  'core/v1.ConfigMapProjection':
    '^:1:#core/v1.LocalObjectReference items:2:[]#core/v1.KeyToPath optional:4:*bool',
  'core/v1.ConfigMapVolumeSource':
    '^:1:#core/v1.LocalObjectReference items:2:[]#core/v1.KeyToPath defaultMode:3:*int optional:4:*bool',
  'core/v1.Container':
    'name:1:string:keep image:2:string command:3:[]string args:4:[]string workingDir:5:string ports:6:[]#core/v1.ContainerPort:mergeKey=containerPort envFrom:19:[]#core/v1.EnvFromSource env:7:[]#core/v1.EnvVar:mergeKey=name resources:8:#core/v1.ResourceRequirements resizePolicy:23:[]#core/v1.ContainerResizePolicy restartPolicy:24:*<v1.ContainerRestartPolicy>string restartPolicyRules:25:[]#core/v1.ContainerRestartRule volumeMounts:9:[]#core/v1.VolumeMount:mergeKey=mountPath volumeDevices:21:[]#core/v1.VolumeDevice:mergeKey=devicePath livenessProbe:10:*#core/v1.Probe readinessProbe:11:*#core/v1.Probe startupProbe:22:*#core/v1.Probe lifecycle:12:*#core/v1.Lifecycle terminationMessagePath:13:string terminationMessagePolicy:20:<v1.TerminationMessagePolicy>string imagePullPolicy:14:<v1.PullPolicy>string securityContext:15:*#core/v1.SecurityContext stdin:16:bool stdinOnce:17:bool tty:18:bool',
  'core/v1.ContainerExtendedResourceRequest':
    'containerName:1:string:keep resourceName:2:string:keep requestName:3:string:keep',
  'core/v1.ContainerImage': 'names:1:[]string:keep sizeBytes:2:int',
  'core/v1.ContainerPort':
    'name:1:string hostPort:2:int containerPort:3:int:keep protocol:4:<v1.Protocol>string hostIP:5:string',
  'core/v1.ContainerResizePolicy':
    'resourceName:1:<v1.ResourceName>string:keep restartPolicy:2:<v1.ResourceResizeRestartPolicy>string:keep',
  'core/v1.ContainerRestartRule':
    'action:1:<v1.ContainerRestartRuleAction>string exitCodes:2:*#core/v1.ContainerRestartRuleOnExitCodes',
  'core/v1.ContainerRestartRuleOnExitCodes':
    'operator:1:<v1.ContainerRestartRuleOnExitCodesOperator>string values:2:[]int',
  'core/v1.ContainerState':
    'waiting:1:*#core/v1.ContainerStateWaiting running:2:*#core/v1.ContainerStateRunning terminated:3:*#core/v1.ContainerStateTerminated',
  'core/v1.ContainerStateRunning': 'startedAt:1:time',
  'core/v1.ContainerStateTerminated':
    'exitCode:1:int:keep signal:2:int reason:3:string message:4:string startedAt:5:time finishedAt:6:time containerID:7:string',
  'core/v1.ContainerStateWaiting': 'reason:1:string message:2:string',
  'core/v1.ContainerStatus':
    'name:1:string:keep state:2:#core/v1.ContainerState lastState:3:#core/v1.ContainerState ready:4:bool:keep restartCount:5:int:keep image:6:string:keep imageID:7:string:keep containerID:8:string started:9:*bool allocatedResources:10:<v1.ResourceList>{}quantity resources:11:*#core/v1.ResourceRequirements volumeMounts:12:[]#core/v1.VolumeMountStatus:mergeKey=mountPath user:13:*#core/v1.ContainerUser allocatedResourcesStatus:14:[]#core/v1.ResourceStatus:mergeKey=name stopSignal:15:*<v1.Signal>string',
  'core/v1.ContainerUser': 'linux:1:*#core/v1.LinuxContainerUser',
  'core/v1.DaemonEndpoint': 'Port:1:int:keep',
  'core/v1.DownwardAPIProjection': 'items:1:[]#core/v1.DownwardAPIVolumeFile',
  'core/v1.DownwardAPIVolumeFile':
    'path:1:string:keep fieldRef:2:*#core/v1.ObjectFieldSelector resourceFieldRef:3:*#core/v1.ResourceFieldSelector mode:4:*int',
  'core/v1.DownwardAPIVolumeSource': 'items:1:[]#core/v1.DownwardAPIVolumeFile defaultMode:2:*int',
  'core/v1.EmptyDirVolumeSource': 'medium:1:<v1.StorageMedium>string sizeLimit:2:*quantity',
  'core/v1.EndpointAddress':
    'ip:1:string:keep hostname:3:string nodeName:4:*string targetRef:2:*#core/v1.ObjectReference',
  'core/v1.EndpointPort':
    'name:1:string port:2:int:keep protocol:3:<v1.Protocol>string appProtocol:4:*string',
  'core/v1.EndpointSubset':
    'addresses:1:[]#core/v1.EndpointAddress notReadyAddresses:2:[]#core/v1.EndpointAddress ports:3:[]#core/v1.EndpointPort',
  'core/v1.Endpoints': 'metadata:1:#meta/v1.ObjectMeta subsets:2:[]#core/v1.EndpointSubset',
  'core/v1.EnvFromSource':
    'prefix:1:string configMapRef:2:*#core/v1.ConfigMapEnvSource secretRef:3:*#core/v1.SecretEnvSource',
  'core/v1.EnvVar': 'name:1:string:keep value:2:string valueFrom:3:*#core/v1.EnvVarSource',
  'core/v1.EnvVarSource':
    'fieldRef:1:*#core/v1.ObjectFieldSelector resourceFieldRef:2:*#core/v1.ResourceFieldSelector configMapKeyRef:3:*#core/v1.ConfigMapKeySelector secretKeyRef:4:*#core/v1.SecretKeySelector fileKeyRef:5:*#core/v1.FileKeySelector',
  'core/v1.EphemeralContainer': '^:1:#core/v1.EphemeralContainerCommon targetContainerName:2:string',
  'core/v1.EphemeralContainerCommon':
    'name:1:string:keep image:2:string command:3:[]string args:4:[]string workingDir:5:string ports:6:[]#core/v1.ContainerPort:mergeKey=containerPort envFrom:19:[]#core/v1.EnvFromSource env:7:[]#core/v1.EnvVar:mergeKey=name resources:8:#core/v1.ResourceRequirements resizePolicy:23:[]#core/v1.ContainerResizePolicy restartPolicy:24:*<v1.ContainerRestartPolicy>string restartPolicyRules:25:[]#core/v1.ContainerRestartRule volumeMounts:9:[]#core/v1.VolumeMount:mergeKey=mountPath volumeDevices:21:[]#core/v1.VolumeDevice:mergeKey=devicePath livenessProbe:10:*#core/v1.Probe readinessProbe:11:*#core/v1.Probe startupProbe:22:*#core/v1.Probe lifecycle:12:*#core/v1.Lifecycle terminationMessagePath:13:string terminationMessagePolicy:20:<v1.TerminationMessagePolicy>string imagePullPolicy:14:<v1.PullPolicy>string securityContext:15:*#core/v1.SecurityContext stdin:16:bool stdinOnce:17:bool tty:18:bool',
  'core/v1.EphemeralVolumeSource': 'volumeClaimTemplate:1:*#core/v1.PersistentVolumeClaimTemplate',
  'core/v1.Event':
    'metadata:1:#meta/v1.ObjectMeta:keep involvedObject:2:#core/v1.ObjectReference:keep reason:3:string message:4:string source:5:#core/v1.EventSource firstTimestamp:6:time lastTimestamp:7:time count:8:int type:9:string eventTime:10:microTime series:11:*#core/v1.EventSeries action:12:string related:13:*#core/v1.ObjectReference reportingComponent:14:string:keep reportingInstance:15:string:keep',
  'core/v1.EventSeries': 'count:1:int lastObservedTime:2:microTime',
  'core/v1.EventSource': 'component:1:string host:2:string',
  'core/v1.ExecAction': 'command:1:[]string',
  'core/v1.FCVolumeSource':
    'targetWWNs:1:[]string lun:2:*int fsType:3:string readOnly:4:bool wwids:5:[]string',
  'core/v1.FileKeySelector': 'volumeName:1:string:keep path:2:string:keep key:3:string:keep optional:4:*bool',
  'core/v1.FlexPersistentVolumeSource':
    'driver:1:string:keep fsType:2:string secretRef:3:*#core/v1.SecretReference readOnly:4:bool options:5:{}string',
  'core/v1.FlexVolumeSource':
    'driver:1:string:keep fsType:2:string secretRef:3:*#core/v1.LocalObjectReference readOnly:4:bool options:5:{}string',
  'core/v1.FlockerVolumeSource': 'datasetName:1:string datasetUUID:2:string',
  'core/v1.GCEPersistentDiskVolumeSource':
    'pdName:1:string:keep fsType:2:string partition:3:int readOnly:4:bool',
  'core/v1.GRPCAction': 'port:1:int:keep service:2:*string:keep',
  'core/v1.GitRepoVolumeSource': 'repository:1:string:keep revision:2:string directory:3:string',
  'core/v1.GlusterfsPersistentVolumeSource':
    'endpoints:1:string:keep path:2:string:keep readOnly:3:bool endpointsNamespace:4:*string',
  'core/v1.GlusterfsVolumeSource': 'endpoints:1:string:keep path:2:string:keep readOnly:3:bool',
  'core/v1.HTTPGetAction':
    'path:1:string port:2:intOrString:keep host:3:string scheme:4:<v1.URIScheme>string httpHeaders:5:[]#core/v1.HTTPHeader',
  'core/v1.HTTPHeader': 'name:1:string:keep value:2:string:keep',
  'core/v1.HostAlias': 'ip:1:string:keep hostnames:2:[]string',
  'core/v1.HostIP': 'ip:1:string:keep',
  'core/v1.HostPathVolumeSource': 'path:1:string:keep type:2:*<v1.HostPathType>string',
  'core/v1.ISCSIPersistentVolumeSource':
    'targetPortal:1:string:keep iqn:2:string:keep lun:3:int:keep iscsiInterface:4:string fsType:5:string readOnly:6:bool portals:7:[]string chapAuthDiscovery:8:bool chapAuthSession:11:bool secretRef:10:*#core/v1.SecretReference initiatorName:12:*string',
  'core/v1.ISCSIVolumeSource':
    'targetPortal:1:string:keep iqn:2:string:keep lun:3:int:keep iscsiInterface:4:string fsType:5:string readOnly:6:bool portals:7:[]string chapAuthDiscovery:8:bool chapAuthSession:11:bool secretRef:10:*#core/v1.LocalObjectReference initiatorName:12:*string',
  'core/v1.ImageVolumeSource': 'reference:1:string pullPolicy:2:<v1.PullPolicy>string',
  'core/v1.ImageVolumeStatus': 'imageRef:1:string',
  'core/v1.KeyToPath': 'key:1:string:keep path:2:string:keep mode:3:*int',
  'core/v1.Lifecycle':
    'postStart:1:*#core/v1.LifecycleHandler preStop:2:*#core/v1.LifecycleHandler stopSignal:3:*<v1.Signal>string',
  'core/v1.LifecycleHandler':
    'exec:1:*#core/v1.ExecAction httpGet:2:*#core/v1.HTTPGetAction tcpSocket:3:*#core/v1.TCPSocketAction sleep:4:*#core/v1.SleepAction',
  'core/v1.LimitRange': 'metadata:1:#meta/v1.ObjectMeta spec:2:#core/v1.LimitRangeSpec',
  'core/v1.LimitRangeItem':
    'type:1:<v1.LimitType>string:keep max:2:<v1.ResourceList>{}quantity min:3:<v1.ResourceList>{}quantity default:4:<v1.ResourceList>{}quantity defaultRequest:5:<v1.ResourceList>{}quantity maxLimitRequestRatio:6:<v1.ResourceList>{}quantity',
  'core/v1.LimitRangeSpec': 'limits:1:[]#core/v1.LimitRangeItem:keep',
  'core/v1.LinuxContainerUser': 'uid:1:int:keep gid:2:int:keep supplementalGroups:3:[]int',
  'core/v1.LoadBalancerIngress':
    'ip:1:string hostname:2:string ipMode:3:*<v1.LoadBalancerIPMode>string ports:4:[]#core/v1.PortStatus',
  'core/v1.LoadBalancerStatus': 'ingress:1:[]#core/v1.LoadBalancerIngress',
  'core/v1.LocalObjectReference': 'name:1:string',
  'core/v1.LocalVolumeSource': 'path:1:string:keep fsType:2:*string',
  'core/v1.ModifyVolumeStatus':
    'targetVolumeAttributesClassName:1:string status:2:<v1.PersistentVolumeClaimModifyVolumeStatus>string:keep',
  'core/v1.NFSVolumeSource': 'server:1:string:keep path:2:string:keep readOnly:3:bool',
  'core/v1.Namespace':
    'metadata:1:#meta/v1.ObjectMeta spec:2:#core/v1.NamespaceSpec status:3:#core/v1.NamespaceStatus',
  'core/v1.NamespaceCondition':
    'type:1:<v1.NamespaceConditionType>string:keep status:2:<v1.ConditionStatus>string:keep lastTransitionTime:4:time reason:5:string message:6:string',
  'core/v1.NamespaceSpec': 'finalizers:1:[]<v1.FinalizerName>string',
  'core/v1.NamespaceStatus':
    'phase:1:<v1.NamespacePhase>string conditions:2:[]#core/v1.NamespaceCondition:mergeKey=type',
  'core/v1.Node': 'metadata:1:#meta/v1.ObjectMeta spec:2:#core/v1.NodeSpec status:3:#core/v1.NodeStatus',
  'core/v1.NodeAddress': 'type:1:<v1.NodeAddressType>string:keep address:2:string:keep',
  'core/v1.NodeAffinity':
    'requiredDuringSchedulingIgnoredDuringExecution:1:*#core/v1.NodeSelector preferredDuringSchedulingIgnoredDuringExecution:2:[]#core/v1.PreferredSchedulingTerm',
  'core/v1.NodeAllocatableResourceClaimStatus':
    'resourceClaimName:1:string:keep containers:2:[]string resources:3:{}quantity:keep',
  'core/v1.NodeCondition':
    'type:1:<v1.NodeConditionType>string:keep status:2:<v1.ConditionStatus>string:keep lastHeartbeatTime:3:time lastTransitionTime:4:time reason:5:string message:6:string',
  'core/v1.NodeConfigSource': 'configMap:2:*#core/v1.ConfigMapNodeConfigSource',
  'core/v1.NodeConfigStatus':
    'assigned:1:*#core/v1.NodeConfigSource active:2:*#core/v1.NodeConfigSource lastKnownGood:3:*#core/v1.NodeConfigSource error:4:string',
  'core/v1.NodeDaemonEndpoints': 'kubeletEndpoint:1:#core/v1.DaemonEndpoint',
  'core/v1.NodeFeatures': 'supplementalGroupsPolicy:1:*bool',
  'core/v1.NodeRuntimeHandler': 'name:1:string:keep features:2:*#core/v1.NodeRuntimeHandlerFeatures',
  'core/v1.NodeRuntimeHandlerFeatures': 'recursiveReadOnlyMounts:1:*bool userNamespaces:2:*bool',
  'core/v1.NodeSelector': 'nodeSelectorTerms:1:[]#core/v1.NodeSelectorTerm:keep',
  'core/v1.NodeSelectorRequirement':
    'key:1:string:keep operator:2:<v1.NodeSelectorOperator>string:keep values:3:[]string',
  'core/v1.NodeSelectorTerm':
    'matchExpressions:1:[]#core/v1.NodeSelectorRequirement matchFields:2:[]#core/v1.NodeSelectorRequirement',
  'core/v1.NodeSpec':
    'podCIDR:1:string podCIDRs:7:[]string:set providerID:3:string unschedulable:4:bool taints:5:[]#core/v1.Taint configSource:6:*#core/v1.NodeConfigSource externalID:2:string',
  'core/v1.NodeStatus':
    'capacity:1:<v1.ResourceList>{}quantity allocatable:2:<v1.ResourceList>{}quantity phase:3:<v1.NodePhase>string conditions:4:[]#core/v1.NodeCondition:mergeKey=type addresses:5:[]#core/v1.NodeAddress:mergeKey=type daemonEndpoints:6:#core/v1.NodeDaemonEndpoints nodeInfo:7:#core/v1.NodeSystemInfo images:8:[]#core/v1.ContainerImage volumesInUse:9:[]<v1.UniqueVolumeName>string volumesAttached:10:[]#core/v1.AttachedVolume config:11:*#core/v1.NodeConfigStatus runtimeHandlers:12:[]#core/v1.NodeRuntimeHandler features:13:*#core/v1.NodeFeatures declaredFeatures:14:[]string',
  'core/v1.NodeSwapStatus': 'capacity:1:*int',
  'core/v1.NodeSystemInfo':
    'machineID:1:string:keep systemUUID:2:string:keep bootID:3:string:keep kernelVersion:4:string:keep osImage:5:string:keep containerRuntimeVersion:6:string:keep kubeletVersion:7:string:keep kubeProxyVersion:8:string:keep operatingSystem:9:string:keep architecture:10:string:keep swap:11:*#core/v1.NodeSwapStatus',
  'core/v1.ObjectFieldSelector': 'apiVersion:1:string fieldPath:2:string:keep',
  'core/v1.ObjectReference':
    'kind:1:string namespace:2:string name:3:string uid:4:<types.UID>string apiVersion:5:string resourceVersion:6:string fieldPath:7:string',
  'core/v1.PersistentVolume':
    'metadata:1:#meta/v1.ObjectMeta spec:2:#core/v1.PersistentVolumeSpec status:3:#core/v1.PersistentVolumeStatus',
  'core/v1.PersistentVolumeClaim':
    'metadata:1:#meta/v1.ObjectMeta spec:2:#core/v1.PersistentVolumeClaimSpec status:3:#core/v1.PersistentVolumeClaimStatus',
  'core/v1.PersistentVolumeClaimCondition':
    'type:1:<v1.PersistentVolumeClaimConditionType>string:keep status:2:<v1.ConditionStatus>string:keep lastProbeTime:3:time lastTransitionTime:4:time reason:5:string message:6:string',
  'core/v1.PersistentVolumeClaimSpec':
    'accessModes:1:[]<v1.PersistentVolumeAccessMode>string selector:4:*#meta/v1.LabelSelector resources:2:#core/v1.VolumeResourceRequirements volumeName:3:string storageClassName:5:*string volumeMode:6:*<v1.PersistentVolumeMode>string dataSource:7:*#core/v1.TypedLocalObjectReference dataSourceRef:8:*#core/v1.TypedObjectReference volumeAttributesClassName:9:*string',
  'core/v1.PersistentVolumeClaimStatus':
    'phase:1:<v1.PersistentVolumeClaimPhase>string accessModes:2:[]<v1.PersistentVolumeAccessMode>string capacity:3:<v1.ResourceList>{}quantity conditions:4:[]#core/v1.PersistentVolumeClaimCondition:mergeKey=type allocatedResources:5:<v1.ResourceList>{}quantity allocatedResourceStatuses:7:{}<v1.ClaimResourceStatus>string currentVolumeAttributesClassName:8:*string modifyVolumeStatus:9:*#core/v1.ModifyVolumeStatus',
  'core/v1.PersistentVolumeClaimTemplate':
    'metadata:1:#meta/v1.ObjectMeta spec:2:#core/v1.PersistentVolumeClaimSpec:keep',
  'core/v1.PersistentVolumeClaimVolumeSource': 'claimName:1:string:keep readOnly:2:bool',
  'core/v1.PersistentVolumeSource':
    'gcePersistentDisk:1:*#core/v1.GCEPersistentDiskVolumeSource awsElasticBlockStore:2:*#core/v1.AWSElasticBlockStoreVolumeSource hostPath:3:*#core/v1.HostPathVolumeSource glusterfs:4:*#core/v1.GlusterfsPersistentVolumeSource nfs:5:*#core/v1.NFSVolumeSource rbd:6:*#core/v1.RBDPersistentVolumeSource iscsi:7:*#core/v1.ISCSIPersistentVolumeSource cinder:8:*#core/v1.CinderPersistentVolumeSource cephfs:9:*#core/v1.CephFSPersistentVolumeSource fc:10:*#core/v1.FCVolumeSource flocker:11:*#core/v1.FlockerVolumeSource flexVolume:12:*#core/v1.FlexPersistentVolumeSource azureFile:13:*#core/v1.AzureFilePersistentVolumeSource vsphereVolume:14:*#core/v1.VsphereVirtualDiskVolumeSource quobyte:15:*#core/v1.QuobyteVolumeSource azureDisk:16:*#core/v1.AzureDiskVolumeSource photonPersistentDisk:17:*#core/v1.PhotonPersistentDiskVolumeSource portworxVolume:18:*#core/v1.PortworxVolumeSource scaleIO:19:*#core/v1.ScaleIOPersistentVolumeSource local:20:*#core/v1.LocalVolumeSource storageos:21:*#core/v1.StorageOSPersistentVolumeSource csi:22:*#core/v1.CSIPersistentVolumeSource',
  'core/v1.PersistentVolumeSpec':
    'capacity:1:<v1.ResourceList>{}quantity ^:2:#core/v1.PersistentVolumeSource accessModes:3:[]<v1.PersistentVolumeAccessMode>string claimRef:4:*#core/v1.ObjectReference persistentVolumeReclaimPolicy:5:<v1.PersistentVolumeReclaimPolicy>string storageClassName:6:string mountOptions:7:[]string volumeMode:8:*<v1.PersistentVolumeMode>string nodeAffinity:9:*#core/v1.VolumeNodeAffinity volumeAttributesClassName:10:*string',
  'core/v1.PersistentVolumeStatus':
    'phase:1:<v1.PersistentVolumePhase>string message:2:string reason:3:string lastPhaseTransitionTime:4:*time',
  'core/v1.PhotonPersistentDiskVolumeSource': 'pdID:1:string:keep fsType:2:string',
  'core/v1.Pod': 'metadata:1:#meta/v1.ObjectMeta spec:2:#core/v1.PodSpec status:3:#core/v1.PodStatus',
  'core/v1.PodAffinity':
    'requiredDuringSchedulingIgnoredDuringExecution:1:[]#core/v1.PodAffinityTerm preferredDuringSchedulingIgnoredDuringExecution:2:[]#core/v1.WeightedPodAffinityTerm',
  'core/v1.PodAffinityTerm':
    'labelSelector:1:*#meta/v1.LabelSelector namespaces:2:[]string topologyKey:3:string:keep namespaceSelector:4:*#meta/v1.LabelSelector matchLabelKeys:5:[]string mismatchLabelKeys:6:[]string',
  'core/v1.PodAntiAffinity':
    'requiredDuringSchedulingIgnoredDuringExecution:1:[]#core/v1.PodAffinityTerm preferredDuringSchedulingIgnoredDuringExecution:2:[]#core/v1.WeightedPodAffinityTerm',
  'core/v1.PodCertificateProjection':
    'signerName:1:string keyType:2:string maxExpirationSeconds:3:*int credentialBundlePath:4:string keyPath:5:string certificateChainPath:6:string userAnnotations:7:{}string',
  'core/v1.PodCondition':
    'type:1:<v1.PodConditionType>string:keep observedGeneration:7:int status:2:<v1.ConditionStatus>string:keep lastProbeTime:3:time lastTransitionTime:4:time reason:5:string message:6:string',
  'core/v1.PodDNSConfig':
    'nameservers:1:[]string searches:2:[]string options:3:[]#core/v1.PodDNSConfigOption',
  'core/v1.PodDNSConfigOption': 'name:1:string value:2:*string',
  'core/v1.PodExtendedResourceClaimStatus':
    'requestMappings:1:[]#core/v1.ContainerExtendedResourceRequest:keep resourceClaimName:2:string:keep',
  'core/v1.PodIP': 'ip:1:string:keep',
  'core/v1.PodOS': 'name:1:<v1.OSName>string:keep',
  'core/v1.PodReadinessGate': 'conditionType:1:<v1.PodConditionType>string:keep',
  'core/v1.PodResourceClaim':
    'name:1:string:keep resourceClaimName:3:*string resourceClaimTemplateName:4:*string',
  'core/v1.PodResourceClaimStatus': 'name:1:string:keep resourceClaimName:2:*string',
  'core/v1.PodSchedulingGate': 'name:1:string:keep',
  'core/v1.PodSchedulingGroup': 'podGroupName:1:*string',
  'core/v1.PodSecurityContext':
    'seLinuxOptions:1:*#core/v1.SELinuxOptions windowsOptions:8:*#core/v1.WindowsSecurityContextOptions runAsUser:2:*int runAsGroup:6:*int runAsNonRoot:3:*bool supplementalGroups:4:[]int supplementalGroupsPolicy:12:*<v1.SupplementalGroupsPolicy>string fsGroup:5:*int sysctls:7:[]#core/v1.Sysctl fsGroupChangePolicy:9:*<v1.PodFSGroupChangePolicy>string seccompProfile:10:*#core/v1.SeccompProfile appArmorProfile:11:*#core/v1.AppArmorProfile seLinuxChangePolicy:13:*<v1.PodSELinuxChangePolicy>string',
  'core/v1.PodSpec':
    'volumes:1:[]#core/v1.Volume:mergeKey=name:retainKeys initContainers:20:[]#core/v1.Container:mergeKey=name containers:2:[]#core/v1.Container:mergeKey=name:keep ephemeralContainers:34:[]#core/v1.EphemeralContainer:mergeKey=name restartPolicy:3:<v1.RestartPolicy>string terminationGracePeriodSeconds:4:*int activeDeadlineSeconds:5:*int dnsPolicy:6:<v1.DNSPolicy>string nodeSelector:7:{}string serviceAccountName:8:string serviceAccount:9:string automountServiceAccountToken:21:*bool nodeName:10:string hostNetwork:11:bool hostPID:12:bool hostIPC:13:bool shareProcessNamespace:27:*bool securityContext:14:*#core/v1.PodSecurityContext imagePullSecrets:15:[]#core/v1.LocalObjectReference:mergeKey=name hostname:16:string subdomain:17:string affinity:18:*#core/v1.Affinity schedulerName:19:string tolerations:22:[]#core/v1.Toleration hostAliases:23:[]#core/v1.HostAlias:mergeKey=ip priorityClassName:24:string priority:25:*int dnsConfig:26:*#core/v1.PodDNSConfig readinessGates:28:[]#core/v1.PodReadinessGate runtimeClassName:29:*string enableServiceLinks:30:*bool preemptionPolicy:31:*<v1.PreemptionPolicy>string overhead:32:<v1.ResourceList>{}quantity topologySpreadConstraints:33:[]#core/v1.TopologySpreadConstraint:mergeKey=topologyKey setHostnameAsFQDN:35:*bool os:36:*#core/v1.PodOS hostUsers:37:*bool schedulingGates:38:[]#core/v1.PodSchedulingGate:mergeKey=name resourceClaims:39:[]#core/v1.PodResourceClaim:mergeKey=name:retainKeys resources:40:*#core/v1.ResourceRequirements hostnameOverride:41:*string schedulingGroup:43:*#core/v1.PodSchedulingGroup',
  'core/v1.PodStatus':
    'observedGeneration:17:int phase:1:<v1.PodPhase>string conditions:2:[]#core/v1.PodCondition:mergeKey=type message:3:string reason:4:string nominatedNodeName:11:string hostIP:5:string hostIPs:16:[]#core/v1.HostIP:mergeKey=ip podIP:6:string podIPs:12:[]#core/v1.PodIP:mergeKey=ip startTime:7:*time initContainerStatuses:10:[]#core/v1.ContainerStatus containerStatuses:8:[]#core/v1.ContainerStatus qosClass:9:<v1.PodQOSClass>string ephemeralContainerStatuses:13:[]#core/v1.ContainerStatus resize:14:<v1.PodResizeStatus>string resourceClaimStatuses:15:[]#core/v1.PodResourceClaimStatus:mergeKey=name:retainKeys extendedResourceClaimStatus:18:*#core/v1.PodExtendedResourceClaimStatus allocatedResources:19:<v1.ResourceList>{}quantity resources:20:*#core/v1.ResourceRequirements nodeAllocatableResourceClaimStatuses:21:[]#core/v1.NodeAllocatableResourceClaimStatus',
  'core/v1.PodStatusResult': 'metadata:1:#meta/v1.ObjectMeta status:2:#core/v1.PodStatus',
  'core/v1.PodTemplate': 'metadata:1:#meta/v1.ObjectMeta template:2:#core/v1.PodTemplateSpec',
  'core/v1.PodTemplateSpec': 'metadata:1:#meta/v1.ObjectMeta spec:2:#core/v1.PodSpec',
  'core/v1.PortStatus': 'port:1:int:keep protocol:2:<v1.Protocol>string:keep error:3:*string',
  'core/v1.PortworxVolumeSource': 'volumeID:1:string:keep fsType:2:string readOnly:3:bool',
  'core/v1.PreferredSchedulingTerm': 'weight:1:int:keep preference:2:#core/v1.NodeSelectorTerm:keep',
  'core/v1.Probe':
    '^:1:#core/v1.ProbeHandler initialDelaySeconds:2:int timeoutSeconds:3:int periodSeconds:4:int successThreshold:5:int failureThreshold:6:int terminationGracePeriodSeconds:7:*int',
  'core/v1.ProbeHandler':
    'exec:1:*#core/v1.ExecAction httpGet:2:*#core/v1.HTTPGetAction tcpSocket:3:*#core/v1.TCPSocketAction grpc:4:*#core/v1.GRPCAction',
  'core/v1.ProjectedVolumeSource': 'sources:1:[]#core/v1.VolumeProjection:keep defaultMode:2:*int',
  'core/v1.QuobyteVolumeSource':
    'registry:1:string:keep volume:2:string:keep readOnly:3:bool user:4:string group:5:string tenant:6:string',
  'core/v1.RBDPersistentVolumeSource':
    'monitors:1:[]string:keep image:2:string:keep fsType:3:string pool:4:string user:5:string keyring:6:string secretRef:7:*#core/v1.SecretReference readOnly:8:bool',
  'core/v1.RBDVolumeSource':
    'monitors:1:[]string:keep image:2:string:keep fsType:3:string pool:4:string user:5:string keyring:6:string secretRef:7:*#core/v1.LocalObjectReference readOnly:8:bool',
  'core/v1.RangeAllocation': 'metadata:1:#meta/v1.ObjectMeta range:2:string:keep data:3:bytes:keep',
  'core/v1.ReplicationController':
    'metadata:1:#meta/v1.ObjectMeta spec:2:#core/v1.ReplicationControllerSpec status:3:#core/v1.ReplicationControllerStatus',
  'core/v1.ReplicationControllerCondition':
    'type:1:<v1.ReplicationControllerConditionType>string:keep status:2:<v1.ConditionStatus>string:keep lastTransitionTime:3:time reason:4:string message:5:string',
  'core/v1.ReplicationControllerSpec':
    'replicas:1:*int minReadySeconds:4:int selector:2:{}string template:3:*#core/v1.PodTemplateSpec',
  'core/v1.ReplicationControllerStatus':
    'replicas:1:int:keep fullyLabeledReplicas:2:int readyReplicas:4:int availableReplicas:5:int observedGeneration:3:int conditions:6:[]#core/v1.ReplicationControllerCondition:mergeKey=type',
  'core/v1.ResourceClaim': 'name:1:string:keep request:2:string',
  'core/v1.ResourceFieldSelector': 'containerName:1:string resource:2:string:keep divisor:3:quantity',
  'core/v1.ResourceHealth':
    'resourceID:1:<v1.ResourceID>string:keep health:2:<v1.ResourceHealthStatus>string message:6:*string',
  'core/v1.ResourceQuota':
    'metadata:1:#meta/v1.ObjectMeta spec:2:#core/v1.ResourceQuotaSpec status:3:#core/v1.ResourceQuotaStatus',
  'core/v1.ResourceQuotaSpec':
    'hard:1:<v1.ResourceList>{}quantity scopes:2:[]<v1.ResourceQuotaScope>string scopeSelector:3:*#core/v1.ScopeSelector',
  'core/v1.ResourceQuotaStatus': 'hard:1:<v1.ResourceList>{}quantity used:2:<v1.ResourceList>{}quantity',
  'core/v1.ResourceRequirements':
    'limits:1:<v1.ResourceList>{}quantity requests:2:<v1.ResourceList>{}quantity claims:3:[]#core/v1.ResourceClaim',
  'core/v1.ResourceStatus': 'name:1:<v1.ResourceName>string:keep resources:2:[]#core/v1.ResourceHealth',
  'core/v1.SELinuxOptions': 'user:1:string role:2:string type:3:string level:4:string',
  'core/v1.ScaleIOPersistentVolumeSource':
    'gateway:1:string:keep system:2:string:keep secretRef:3:*#core/v1.SecretReference:keep sslEnabled:4:bool protectionDomain:5:string storagePool:6:string storageMode:7:string volumeName:8:string fsType:9:string readOnly:10:bool',
  'core/v1.ScaleIOVolumeSource':
    'gateway:1:string:keep system:2:string:keep secretRef:3:*#core/v1.LocalObjectReference:keep sslEnabled:4:bool protectionDomain:5:string storagePool:6:string storageMode:7:string volumeName:8:string fsType:9:string readOnly:10:bool',
  'core/v1.ScopeSelector': 'matchExpressions:1:[]#core/v1.ScopedResourceSelectorRequirement',
  'core/v1.ScopedResourceSelectorRequirement':
    'scopeName:1:<v1.ResourceQuotaScope>string:keep operator:2:<v1.ScopeSelectorOperator>string:keep values:3:[]string',
  'core/v1.SeccompProfile': 'type:1:<v1.SeccompProfileType>string:keep localhostProfile:2:*string',
  'core/v1.Secret':
    'metadata:1:#meta/v1.ObjectMeta immutable:5:*bool data:2:{}bytes stringData:4:{}string type:3:<v1.SecretType>string',
  'core/v1.SecretEnvSource': '^:1:#core/v1.LocalObjectReference optional:2:*bool',
  'core/v1.SecretKeySelector': '^:1:#core/v1.LocalObjectReference key:2:string:keep optional:3:*bool',
  'core/v1.SecretProjection':
    '^:1:#core/v1.LocalObjectReference items:2:[]#core/v1.KeyToPath optional:4:*bool',
  'core/v1.SecretReference': 'name:1:string namespace:2:string',
  'core/v1.SecretVolumeSource':
    'secretName:1:string items:2:[]#core/v1.KeyToPath defaultMode:3:*int optional:4:*bool',
  'core/v1.SecurityContext':
    'capabilities:1:*#core/v1.Capabilities privileged:2:*bool seLinuxOptions:3:*#core/v1.SELinuxOptions windowsOptions:10:*#core/v1.WindowsSecurityContextOptions runAsUser:4:*int runAsGroup:8:*int runAsNonRoot:5:*bool readOnlyRootFilesystem:6:*bool allowPrivilegeEscalation:7:*bool procMount:9:*<v1.ProcMountType>string seccompProfile:11:*#core/v1.SeccompProfile appArmorProfile:12:*#core/v1.AppArmorProfile',
  'core/v1.Service':
    'metadata:1:#meta/v1.ObjectMeta spec:2:#core/v1.ServiceSpec status:3:#core/v1.ServiceStatus',
  'core/v1.ServiceAccount':
    'metadata:1:#meta/v1.ObjectMeta secrets:2:[]#core/v1.ObjectReference:mergeKey=name imagePullSecrets:3:[]#core/v1.LocalObjectReference automountServiceAccountToken:4:*bool',
  'core/v1.ServiceAccountTokenProjection': 'audience:1:string expirationSeconds:2:*int path:3:string:keep',
  'core/v1.ServicePort':
    'name:1:string protocol:2:<v1.Protocol>string appProtocol:6:*string port:3:int:keep targetPort:4:intOrString nodePort:5:int',
  'core/v1.ServiceSpec':
    'ports:1:[]#core/v1.ServicePort:mergeKey=port selector:2:{}string clusterIP:3:string clusterIPs:18:[]string type:4:<v1.ServiceType>string externalIPs:5:[]string sessionAffinity:7:<v1.ServiceAffinity>string loadBalancerIP:8:string loadBalancerSourceRanges:9:[]string externalName:10:string externalTrafficPolicy:11:<v1.ServiceExternalTrafficPolicy>string healthCheckNodePort:12:int publishNotReadyAddresses:13:bool sessionAffinityConfig:14:*#core/v1.SessionAffinityConfig ipFamilies:19:[]<v1.IPFamily>string ipFamilyPolicy:17:*<v1.IPFamilyPolicy>string allocateLoadBalancerNodePorts:20:*bool loadBalancerClass:21:*string internalTrafficPolicy:22:*<v1.ServiceInternalTrafficPolicy>string trafficDistribution:23:*string',
  'core/v1.ServiceStatus':
    'loadBalancer:1:#core/v1.LoadBalancerStatus conditions:2:[]#meta/v1.Condition:mergeKey=type',
  'core/v1.SessionAffinityConfig': 'clientIP:1:*#core/v1.ClientIPConfig',
  'core/v1.SleepAction': 'seconds:1:int:keep',
  'core/v1.StorageOSPersistentVolumeSource':
    'volumeName:1:string volumeNamespace:2:string fsType:3:string readOnly:4:bool secretRef:5:*#core/v1.ObjectReference',
  'core/v1.StorageOSVolumeSource':
    'volumeName:1:string volumeNamespace:2:string fsType:3:string readOnly:4:bool secretRef:5:*#core/v1.LocalObjectReference',
  'core/v1.Sysctl': 'name:1:string:keep value:2:string:keep',
  'core/v1.TCPSocketAction': 'port:1:intOrString:keep host:2:string',
  'core/v1.Taint': 'key:1:string:keep value:2:string effect:3:<v1.TaintEffect>string:keep timeAdded:4:*time',
  'core/v1.Toleration':
    'key:1:string operator:2:<v1.TolerationOperator>string value:3:string effect:4:<v1.TaintEffect>string tolerationSeconds:5:*int',
  'core/v1.TopologySelectorLabelRequirement': 'key:1:string:keep values:2:[]string:keep',
  'core/v1.TopologySelectorTerm': 'matchLabelExpressions:1:[]#core/v1.TopologySelectorLabelRequirement',
  'core/v1.TopologySpreadConstraint':
    'maxSkew:1:int:keep topologyKey:2:string:keep whenUnsatisfiable:3:<v1.UnsatisfiableConstraintAction>string:keep labelSelector:4:*#meta/v1.LabelSelector minDomains:5:*int nodeAffinityPolicy:6:*<v1.NodeInclusionPolicy>string nodeTaintsPolicy:7:*<v1.NodeInclusionPolicy>string matchLabelKeys:8:[]string',
  'core/v1.TypedLocalObjectReference': 'apiGroup:1:*string:keep kind:2:string:keep name:3:string:keep',
  'core/v1.TypedObjectReference':
    'apiGroup:1:*string:keep kind:2:string:keep name:3:string:keep namespace:4:*string',
  'core/v1.Volume': 'name:1:string:keep ^:2:#core/v1.VolumeSource',
  'core/v1.VolumeDevice': 'name:1:string:keep devicePath:2:string:keep',
  'core/v1.VolumeMount':
    'name:1:string:keep readOnly:2:bool recursiveReadOnly:7:*<v1.RecursiveReadOnlyMode>string mountPath:3:string:keep subPath:4:string mountPropagation:5:*<v1.MountPropagationMode>string subPathExpr:6:string',
  'core/v1.VolumeMountStatus':
    'name:1:string:keep mountPath:2:string:keep readOnly:3:bool recursiveReadOnly:4:*<v1.RecursiveReadOnlyMode>string volumeStatus:5:*#core/v1.VolumeStatus',
  'core/v1.VolumeNodeAffinity': 'required:1:*#core/v1.NodeSelector',
  'core/v1.VolumeProjection':
    'secret:1:*#core/v1.SecretProjection downwardAPI:2:*#core/v1.DownwardAPIProjection configMap:3:*#core/v1.ConfigMapProjection serviceAccountToken:4:*#core/v1.ServiceAccountTokenProjection clusterTrustBundle:5:*#core/v1.ClusterTrustBundleProjection podCertificate:6:*#core/v1.PodCertificateProjection',
  'core/v1.VolumeResourceRequirements':
    'limits:1:<v1.ResourceList>{}quantity requests:2:<v1.ResourceList>{}quantity',
  'core/v1.VolumeSource':
    'hostPath:1:*#core/v1.HostPathVolumeSource emptyDir:2:*#core/v1.EmptyDirVolumeSource gcePersistentDisk:3:*#core/v1.GCEPersistentDiskVolumeSource awsElasticBlockStore:4:*#core/v1.AWSElasticBlockStoreVolumeSource gitRepo:5:*#core/v1.GitRepoVolumeSource secret:6:*#core/v1.SecretVolumeSource nfs:7:*#core/v1.NFSVolumeSource iscsi:8:*#core/v1.ISCSIVolumeSource glusterfs:9:*#core/v1.GlusterfsVolumeSource persistentVolumeClaim:10:*#core/v1.PersistentVolumeClaimVolumeSource rbd:11:*#core/v1.RBDVolumeSource flexVolume:12:*#core/v1.FlexVolumeSource cinder:13:*#core/v1.CinderVolumeSource cephfs:14:*#core/v1.CephFSVolumeSource flocker:15:*#core/v1.FlockerVolumeSource downwardAPI:16:*#core/v1.DownwardAPIVolumeSource fc:17:*#core/v1.FCVolumeSource azureFile:18:*#core/v1.AzureFileVolumeSource configMap:19:*#core/v1.ConfigMapVolumeSource vsphereVolume:20:*#core/v1.VsphereVirtualDiskVolumeSource quobyte:21:*#core/v1.QuobyteVolumeSource azureDisk:22:*#core/v1.AzureDiskVolumeSource photonPersistentDisk:23:*#core/v1.PhotonPersistentDiskVolumeSource projected:26:*#core/v1.ProjectedVolumeSource portworxVolume:24:*#core/v1.PortworxVolumeSource scaleIO:25:*#core/v1.ScaleIOVolumeSource storageos:27:*#core/v1.StorageOSVolumeSource csi:28:*#core/v1.CSIVolumeSource ephemeral:29:*#core/v1.EphemeralVolumeSource image:30:*#core/v1.ImageVolumeSource',
  'core/v1.VolumeStatus': 'image:1:*#core/v1.ImageVolumeStatus',
  'core/v1.VsphereVirtualDiskVolumeSource':
    'volumePath:1:string:keep fsType:2:string storagePolicyName:3:string storagePolicyID:4:string',
  'core/v1.WeightedPodAffinityTerm': 'weight:1:int:keep podAffinityTerm:2:#core/v1.PodAffinityTerm:keep',
  'core/v1.WindowsSecurityContextOptions':
    'gmsaCredentialSpecName:1:*string gmsaCredentialSpec:2:*string runAsUserName:3:*string hostProcess:4:*bool',
  'discovery/v1.Endpoint':
    'addresses:1:[]string:keep conditions:2:#discovery/v1.EndpointConditions hostname:3:*string targetRef:4:*#core/v1.ObjectReference deprecatedTopology:5:{}string nodeName:6:*string zone:7:*string hints:8:*#discovery/v1.EndpointHints',
  'discovery/v1.EndpointConditions': 'ready:1:*bool serving:2:*bool terminating:3:*bool',
  'discovery/v1.EndpointHints': 'forZones:1:[]#discovery/v1.ForZone forNodes:2:[]#discovery/v1.ForNode',
  'discovery/v1.EndpointPort':
    'name:1:*string protocol:2:*<v1.Protocol>string port:3:*int appProtocol:4:*string',
  'discovery/v1.EndpointSlice':
    'metadata:1:#meta/v1.ObjectMeta addressType:4:<v1.AddressType>string:keep endpoints:2:[]#discovery/v1.Endpoint:keep ports:3:[]#discovery/v1.EndpointPort:keep',
  'discovery/v1.ForNode': 'name:1:string:keep',
  'discovery/v1.ForZone': 'name:1:string:keep',
  'events/v1.Event':
    'metadata:1:#meta/v1.ObjectMeta:keep eventTime:2:microTime:keep series:3:*#events/v1.EventSeries reportingController:4:string reportingInstance:5:string action:6:string reason:7:string regarding:8:#core/v1.ObjectReference related:9:*#core/v1.ObjectReference note:10:string type:11:string deprecatedSource:12:#core/v1.EventSource deprecatedFirstTimestamp:13:time deprecatedLastTimestamp:14:time deprecatedCount:15:int',
  'events/v1.EventSeries': 'count:1:int:keep lastObservedTime:2:microTime:keep',
  'flowcontrol/v1.ExemptPriorityLevelConfiguration': 'nominalConcurrencyShares:1:*int lendablePercent:2:*int',
  'flowcontrol/v1.FlowDistinguisherMethod': 'type:1:<v1.FlowDistinguisherMethodType>string:keep',
  'flowcontrol/v1.FlowSchema':
    'metadata:1:#meta/v1.ObjectMeta spec:2:#flowcontrol/v1.FlowSchemaSpec status:3:#flowcontrol/v1.FlowSchemaStatus',
  'flowcontrol/v1.FlowSchemaCondition':
    'type:1:<v1.FlowSchemaConditionType>string status:2:<v1.ConditionStatus>string lastTransitionTime:3:time reason:4:string message:5:string',
  'flowcontrol/v1.FlowSchemaSpec':
    'priorityLevelConfiguration:1:#flowcontrol/v1.PriorityLevelConfigurationReference:keep matchingPrecedence:2:int:keep distinguisherMethod:3:*#flowcontrol/v1.FlowDistinguisherMethod rules:4:[]#flowcontrol/v1.PolicyRulesWithSubjects',
  'flowcontrol/v1.FlowSchemaStatus': 'conditions:1:[]#flowcontrol/v1.FlowSchemaCondition:mergeKey=type',
  'flowcontrol/v1.GroupSubject': 'name:1:string:keep',
  'flowcontrol/v1.LimitResponse':
    'type:1:<v1.LimitResponseType>string:keep queuing:2:*#flowcontrol/v1.QueuingConfiguration',
  'flowcontrol/v1.LimitedPriorityLevelConfiguration':
    'nominalConcurrencyShares:1:*int:keep limitResponse:2:#flowcontrol/v1.LimitResponse lendablePercent:3:*int borrowingLimitPercent:4:*int',
  'flowcontrol/v1.NonResourcePolicyRule': 'verbs:1:[]string:keep nonResourceURLs:6:[]string:keep',
  'flowcontrol/v1.PolicyRulesWithSubjects':
    'subjects:1:[]#flowcontrol/v1.Subject:keep resourceRules:2:[]#flowcontrol/v1.ResourcePolicyRule nonResourceRules:3:[]#flowcontrol/v1.NonResourcePolicyRule',
  'flowcontrol/v1.PriorityLevelConfiguration':
    'metadata:1:#meta/v1.ObjectMeta spec:2:#flowcontrol/v1.PriorityLevelConfigurationSpec status:3:#flowcontrol/v1.PriorityLevelConfigurationStatus',
  'flowcontrol/v1.PriorityLevelConfigurationCondition':
    'type:1:<v1.PriorityLevelConfigurationConditionType>string status:2:<v1.ConditionStatus>string lastTransitionTime:3:time reason:4:string message:5:string',
  'flowcontrol/v1.PriorityLevelConfigurationReference': 'name:1:string:keep',
  'flowcontrol/v1.PriorityLevelConfigurationSpec':
    'type:1:<v1.PriorityLevelEnablement>string:keep limited:2:*#flowcontrol/v1.LimitedPriorityLevelConfiguration exempt:3:*#flowcontrol/v1.ExemptPriorityLevelConfiguration',
  'flowcontrol/v1.PriorityLevelConfigurationStatus':
    'conditions:1:[]#flowcontrol/v1.PriorityLevelConfigurationCondition:mergeKey=type',
  'flowcontrol/v1.QueuingConfiguration': 'queues:1:int:keep handSize:2:int:keep queueLengthLimit:3:int:keep',
  'flowcontrol/v1.ResourcePolicyRule':
    'verbs:1:[]string:keep apiGroups:2:[]string:keep resources:3:[]string:keep clusterScope:4:bool namespaces:5:[]string:keep',
  'flowcontrol/v1.ServiceAccountSubject': 'namespace:1:string:keep name:2:string:keep',
  'flowcontrol/v1.Subject':
    'kind:1:<v1.SubjectKind>string:keep user:2:*#flowcontrol/v1.UserSubject group:3:*#flowcontrol/v1.GroupSubject serviceAccount:4:*#flowcontrol/v1.ServiceAccountSubject',
  'flowcontrol/v1.UserSubject': 'name:1:string:keep',
  'meta/v1.Condition':
    'type:1:string:keep status:2:<v1.ConditionStatus>string:keep observedGeneration:3:int lastTransitionTime:4:time:keep reason:5:string:keep message:6:string:keep',
  'meta/v1.DeleteOptions':
    'gracePeriodSeconds:1:*int preconditions:2:*#meta/v1.Preconditions orphanDependents:3:*bool propagationPolicy:4:*<v1.DeletionPropagation>string dryRun:5:[]string ignoreStoreReadErrorWithClusterBreakingPotential:6:*bool',
  'meta/v1.FieldSelectorRequirement':
    'key:1:string:keep operator:2:<v1.FieldSelectorOperator>string:keep values:3:[]string',
  'meta/v1.LabelSelector': 'matchLabels:1:{}string matchExpressions:2:[]#meta/v1.LabelSelectorRequirement',
  'meta/v1.LabelSelectorRequirement':
    'key:1:string:keep operator:2:<v1.LabelSelectorOperator>string:keep values:3:[]string',
  'meta/v1.ManagedFieldsEntry':
    'manager:1:string operation:2:<v1.ManagedFieldsOperationType>string apiVersion:3:string time:4:*time fieldsType:6:string fieldsV1:7:*json subresource:8:string',
  'meta/v1.ObjectMeta':
    'name:1:string generateName:2:string namespace:3:string selfLink:4:string uid:5:<types.UID>string resourceVersion:6:string generation:7:int creationTimestamp:8:time:omitzero deletionTimestamp:9:*time deletionGracePeriodSeconds:10:*int labels:11:{}string annotations:12:{}string ownerReferences:13:[]#meta/v1.OwnerReference:mergeKey=uid finalizers:14:[]string:set managedFields:17:[]#meta/v1.ManagedFieldsEntry',
  'meta/v1.OwnerReference':
    'apiVersion:5:string:keep kind:1:string:keep name:3:string:keep uid:4:<types.UID>string:keep controller:6:*bool blockOwnerDeletion:7:*bool',
  'meta/v1.Preconditions': 'uid:1:*<types.UID>string resourceVersion:2:*string',
  'networking/v1.HTTPIngressPath':
    'path:1:string pathType:3:*<v1.PathType>string:keep backend:2:#networking/v1.IngressBackend:keep',
  'networking/v1.HTTPIngressRuleValue': 'paths:1:[]#networking/v1.HTTPIngressPath:keep',
  'networking/v1.IPAddress': 'metadata:1:#meta/v1.ObjectMeta spec:2:#networking/v1.IPAddressSpec',
  'networking/v1.IPAddressSpec': 'parentRef:1:*#networking/v1.ParentReference',
  'networking/v1.IPBlock': 'cidr:1:string:keep except:2:[]string',
  'networking/v1.Ingress':
    'metadata:1:#meta/v1.ObjectMeta spec:2:#networking/v1.IngressSpec status:3:#networking/v1.IngressStatus',
  'networking/v1.IngressBackend':
    'service:4:*#networking/v1.IngressServiceBackend resource:3:*#core/v1.TypedLocalObjectReference',
  'networking/v1.IngressClass': 'metadata:1:#meta/v1.ObjectMeta spec:2:#networking/v1.IngressClassSpec',
  'networking/v1.IngressClassParametersReference':
    'apiGroup:1:*string kind:2:string:keep name:3:string:keep scope:4:*string:keep namespace:5:*string',
  'networking/v1.IngressClassSpec':
    'controller:1:string parameters:2:*#networking/v1.IngressClassParametersReference',
  'networking/v1.IngressLoadBalancerIngress':
    'ip:1:string hostname:2:string ports:4:[]#networking/v1.IngressPortStatus',
  'networking/v1.IngressLoadBalancerStatus': 'ingress:1:[]#networking/v1.IngressLoadBalancerIngress',
  'networking/v1.IngressPortStatus': 'port:1:int:keep protocol:2:<v1.Protocol>string:keep error:3:*string',
  'networking/v1.IngressRule': 'host:1:string ^:2:#networking/v1.IngressRuleValue',
  'networking/v1.IngressRuleValue': 'http:1:*#networking/v1.HTTPIngressRuleValue',
  'networking/v1.IngressServiceBackend': 'name:1:string:keep port:2:#networking/v1.ServiceBackendPort',
  'networking/v1.IngressSpec':
    'ingressClassName:4:*string defaultBackend:1:*#networking/v1.IngressBackend tls:2:[]#networking/v1.IngressTLS rules:3:[]#networking/v1.IngressRule',
  'networking/v1.IngressStatus': 'loadBalancer:1:#networking/v1.IngressLoadBalancerStatus',
  'networking/v1.IngressTLS': 'hosts:1:[]string secretName:2:string',
  'networking/v1.NetworkPolicy': 'metadata:1:#meta/v1.ObjectMeta spec:2:#networking/v1.NetworkPolicySpec',
  'networking/v1.NetworkPolicyEgressRule':
    'ports:1:[]#networking/v1.NetworkPolicyPort to:2:[]#networking/v1.NetworkPolicyPeer',
  'networking/v1.NetworkPolicyIngressRule':
    'ports:1:[]#networking/v1.NetworkPolicyPort from:2:[]#networking/v1.NetworkPolicyPeer',
  'networking/v1.NetworkPolicyPeer':
    'podSelector:1:*#meta/v1.LabelSelector namespaceSelector:2:*#meta/v1.LabelSelector ipBlock:3:*#networking/v1.IPBlock',
  'networking/v1.NetworkPolicyPort': 'protocol:1:*<v1.Protocol>string port:2:*intOrString endPort:3:*int',
  'networking/v1.NetworkPolicySpec':
    'podSelector:1:#meta/v1.LabelSelector:keep ingress:2:[]#networking/v1.NetworkPolicyIngressRule egress:3:[]#networking/v1.NetworkPolicyEgressRule policyTypes:4:[]<v1.PolicyType>string',
  'networking/v1.ParentReference': 'group:1:string resource:2:string namespace:3:string name:4:string',
  'networking/v1.ServiceBackendPort': 'name:1:string number:2:int',
  'networking/v1.ServiceCIDR':
    'metadata:1:#meta/v1.ObjectMeta spec:2:#networking/v1.ServiceCIDRSpec status:3:#networking/v1.ServiceCIDRStatus',
  'networking/v1.ServiceCIDRSpec': 'cidrs:1:[]string',
  'networking/v1.ServiceCIDRStatus': 'conditions:1:[]#meta/v1.Condition:mergeKey=type',
  'node/v1.Overhead': 'podFixed:1:<v1.ResourceList>{}quantity',
  'node/v1.RuntimeClass':
    'metadata:1:#meta/v1.ObjectMeta handler:2:string:keep overhead:3:*#node/v1.Overhead scheduling:4:*#node/v1.Scheduling',
  'node/v1.Scheduling': 'nodeSelector:1:{}string tolerations:2:[]#core/v1.Toleration',
  'policy/v1.Eviction': 'metadata:1:#meta/v1.ObjectMeta deleteOptions:2:*#meta/v1.DeleteOptions',
  'policy/v1.PodDisruptionBudget':
    'metadata:1:#meta/v1.ObjectMeta spec:2:#policy/v1.PodDisruptionBudgetSpec status:3:#policy/v1.PodDisruptionBudgetStatus',
  'policy/v1.PodDisruptionBudgetSpec':
    'minAvailable:1:*intOrString selector:2:*#meta/v1.LabelSelector:replace maxUnavailable:3:*intOrString unhealthyPodEvictionPolicy:4:*<v1.UnhealthyPodEvictionPolicyType>string',
  'policy/v1.PodDisruptionBudgetStatus':
    'observedGeneration:1:int disruptedPods:2:{}time disruptionsAllowed:3:int:keep currentHealthy:4:int:keep desiredHealthy:5:int:keep expectedPods:6:int:keep conditions:7:[]#meta/v1.Condition:mergeKey=type',
  'rbac/v1.AggregationRule': 'clusterRoleSelectors:1:[]#meta/v1.LabelSelector',
  'rbac/v1.ClusterRole':
    'metadata:1:#meta/v1.ObjectMeta rules:2:[]#rbac/v1.PolicyRule:keep aggregationRule:3:*#rbac/v1.AggregationRule',
  'rbac/v1.ClusterRoleBinding':
    'metadata:1:#meta/v1.ObjectMeta subjects:2:[]#rbac/v1.Subject roleRef:3:#rbac/v1.RoleRef:keep',
  'rbac/v1.PolicyRule':
    'verbs:1:[]string:keep apiGroups:2:[]string resources:3:[]string resourceNames:4:[]string nonResourceURLs:5:[]string',
  'rbac/v1.Role': 'metadata:1:#meta/v1.ObjectMeta rules:2:[]#rbac/v1.PolicyRule:keep',
  'rbac/v1.RoleBinding':
    'metadata:1:#meta/v1.ObjectMeta subjects:2:[]#rbac/v1.Subject roleRef:3:#rbac/v1.RoleRef:keep',
  'rbac/v1.RoleRef': 'apiGroup:1:string:keep kind:2:string:keep name:3:string:keep',
  'rbac/v1.Subject': 'kind:1:string:keep apiGroup:2:string name:3:string:keep namespace:4:string',
  'resource/v1.AllocatedDeviceStatus':
    'driver:1:string:keep pool:2:string:keep device:3:string:keep shareID:7:*string conditions:4:[]#meta/v1.Condition:keep data:5:*json networkData:6:*#resource/v1.NetworkDeviceData',
  'resource/v1.AllocationResult':
    'devices:1:#resource/v1.DeviceAllocationResult nodeSelector:3:*#core/v1.NodeSelector allocationTimestamp:5:*time',
  'resource/v1.CELDeviceSelector': 'expression:1:string:keep',
  'resource/v1.CapacityRequestPolicy':
    'default:1:*quantity:keep validValues:3:[]quantity validRange:4:*#resource/v1.CapacityRequestPolicyRange',
  'resource/v1.CapacityRequestPolicyRange': 'min:1:*quantity max:2:*quantity step:3:*quantity',
  'resource/v1.CapacityRequirements': 'requests:1:{}quantity',
  'resource/v1.Counter': 'value:1:quantity:keep',
  'resource/v1.CounterSet': 'name:1:string:keep counters:2:{}#resource/v1.Counter',
  'resource/v1.Device':
    'name:1:string:keep attributes:2:{}#resource/v1.DeviceAttribute capacity:3:{}#resource/v1.DeviceCapacity consumesCounters:4:[]#resource/v1.DeviceCounterConsumption nodeName:5:*string nodeSelector:6:*#core/v1.NodeSelector allNodes:7:*bool taints:8:[]#resource/v1.DeviceTaint bindsToNode:9:*bool bindingConditions:10:[]string bindingFailureConditions:11:[]string allowMultipleAllocations:12:*bool nodeAllocatableResourceMappings:13:{}#resource/v1.NodeAllocatableResourceMapping',
  'resource/v1.DeviceAllocationConfiguration':
    'source:1:<v1.AllocationConfigSource>string:keep requests:2:[]string ^:3:#resource/v1.DeviceConfiguration',
  'resource/v1.DeviceAllocationResult':
    'results:1:[]#resource/v1.DeviceRequestAllocationResult config:2:[]#resource/v1.DeviceAllocationConfiguration',
  'resource/v1.DeviceAttribute':
    'int:2:*int bool:3:*bool string:4:*string version:5:*string ints:6:[]int bools:7:[]bool strings:8:[]string versions:9:[]string',
  'resource/v1.DeviceCapacity': 'value:1:quantity:keep requestPolicy:2:*#resource/v1.CapacityRequestPolicy',
  'resource/v1.DeviceClaim':
    'requests:1:[]#resource/v1.DeviceRequest:keep constraints:2:[]#resource/v1.DeviceConstraint config:3:[]#resource/v1.DeviceClaimConfiguration',
  'resource/v1.DeviceClaimConfiguration': 'requests:1:[]string ^:2:#resource/v1.DeviceConfiguration',
  'resource/v1.DeviceClass': 'metadata:1:#meta/v1.ObjectMeta spec:2:#resource/v1.DeviceClassSpec:keep',
  'resource/v1.DeviceClassConfiguration': '^:1:#resource/v1.DeviceConfiguration',
  'resource/v1.DeviceClassSpec':
    'selectors:1:[]#resource/v1.DeviceSelector config:2:[]#resource/v1.DeviceClassConfiguration extendedResourceName:4:*string',
  'resource/v1.DeviceConfiguration': 'opaque:1:*#resource/v1.OpaqueDeviceConfiguration',
  'resource/v1.DeviceConstraint':
    'requests:1:[]string matchAttribute:2:*<v1.FullyQualifiedName>string distinctAttribute:3:*<v1.FullyQualifiedName>string',
  'resource/v1.DeviceCounterConsumption': 'counterSet:1:string:keep counters:2:{}#resource/v1.Counter',
  'resource/v1.DeviceRequest':
    'name:1:string:keep exactly:2:*#resource/v1.ExactDeviceRequest firstAvailable:3:[]#resource/v1.DeviceSubRequest',
  'resource/v1.DeviceRequestAllocationResult':
    'request:1:string:keep driver:2:string:keep pool:3:string:keep device:4:string:keep adminAccess:5:*bool tolerations:6:[]#resource/v1.DeviceToleration bindingConditions:7:[]string bindingFailureConditions:8:[]string shareID:9:*<types.UID>string consumedCapacity:10:{}quantity',
  'resource/v1.DeviceSelector': 'cel:1:*#resource/v1.CELDeviceSelector',
  'resource/v1.DeviceSubRequest':
    'name:1:string:keep deviceClassName:2:string:keep selectors:3:[]#resource/v1.DeviceSelector allocationMode:4:<v1.DeviceAllocationMode>string count:5:int tolerations:6:[]#resource/v1.DeviceToleration capacity:7:*#resource/v1.CapacityRequirements',
  'resource/v1.DeviceTaint':
    'key:1:string:keep value:2:string effect:3:<v1.DeviceTaintEffect>string:keep timeAdded:4:*time',
  'resource/v1.DeviceToleration':
    'key:1:string operator:2:<v1.DeviceTolerationOperator>string value:3:string effect:4:<v1.DeviceTaintEffect>string tolerationSeconds:5:*int',
  'resource/v1.ExactDeviceRequest':
    'deviceClassName:1:string:keep selectors:2:[]#resource/v1.DeviceSelector allocationMode:3:<v1.DeviceAllocationMode>string count:4:int adminAccess:5:*bool tolerations:6:[]#resource/v1.DeviceToleration capacity:7:*#resource/v1.CapacityRequirements',
  'resource/v1.NetworkDeviceData': 'interfaceName:1:string ips:2:[]string hardwareAddress:3:string',
  'resource/v1.NodeAllocatableResourceMapping':
    'capacityKey:1:*<v1.QualifiedName>string allocationMultiplier:2:*quantity',
  'resource/v1.OpaqueDeviceConfiguration': 'driver:1:string:keep parameters:2:json:keep',
  'resource/v1.ResourceClaim':
    'metadata:1:#meta/v1.ObjectMeta spec:2:#resource/v1.ResourceClaimSpec:keep status:3:#resource/v1.ResourceClaimStatus',
  'resource/v1.ResourceClaimConsumerReference':
    'apiGroup:1:string resource:3:string:keep name:4:string:keep uid:5:<types.UID>string:keep',
  'resource/v1.ResourceClaimSpec': 'devices:1:#resource/v1.DeviceClaim:keep',
  'resource/v1.ResourceClaimStatus':
    'allocation:1:*#resource/v1.AllocationResult reservedFor:2:[]#resource/v1.ResourceClaimConsumerReference:mergeKey=uid devices:4:[]#resource/v1.AllocatedDeviceStatus',
  'resource/v1.ResourceClaimTemplate':
    'metadata:1:#meta/v1.ObjectMeta spec:2:#resource/v1.ResourceClaimTemplateSpec:keep',
  'resource/v1.ResourceClaimTemplateSpec':
    'metadata:1:#meta/v1.ObjectMeta spec:2:#resource/v1.ResourceClaimSpec:keep',
  'resource/v1.ResourcePool': 'name:1:string:keep generation:2:int:keep resourceSliceCount:3:int:keep',
  'resource/v1.ResourceSlice': 'metadata:1:#meta/v1.ObjectMeta spec:2:#resource/v1.ResourceSliceSpec:keep',
  'resource/v1.ResourceSliceSpec':
    'driver:1:string:keep pool:2:#resource/v1.ResourcePool:keep nodeName:3:*string nodeSelector:4:*#core/v1.NodeSelector allNodes:5:*bool devices:6:[]#resource/v1.Device perDeviceNodeSelection:7:*bool sharedCounters:8:[]#resource/v1.CounterSet',
  'scheduling/v1.PriorityClass':
    'metadata:1:#meta/v1.ObjectMeta value:2:int:keep globalDefault:3:bool description:4:string preemptionPolicy:5:*<v1.PreemptionPolicy>string',
  'storage/v1.CSIDriver': 'metadata:1:#meta/v1.ObjectMeta spec:2:#storage/v1.CSIDriverSpec:keep',
  'storage/v1.CSIDriverSpec':
    'attachRequired:1:*bool podInfoOnMount:2:*bool volumeLifecycleModes:3:[]<v1.VolumeLifecycleMode>string storageCapacity:4:*bool fsGroupPolicy:5:*<v1.FSGroupPolicy>string tokenRequests:6:[]#storage/v1.TokenRequest requiresRepublish:7:*bool seLinuxMount:8:*bool nodeAllocatableUpdatePeriodSeconds:9:*int serviceAccountTokenInSecrets:10:*bool preventPodSchedulingIfMissing:11:*bool',
  'storage/v1.CSINode': 'metadata:1:#meta/v1.ObjectMeta spec:2:#storage/v1.CSINodeSpec:keep',
  'storage/v1.CSINodeDriver':
    'name:1:string:keep nodeID:2:string:keep topologyKeys:3:[]string:keep allocatable:4:*#storage/v1.VolumeNodeResources',
  'storage/v1.CSINodeSpec': 'drivers:1:[]#storage/v1.CSINodeDriver:mergeKey=name:keep',
  'storage/v1.CSIStorageCapacity':
    'metadata:1:#meta/v1.ObjectMeta nodeTopology:2:*#meta/v1.LabelSelector storageClassName:3:string:keep capacity:4:*quantity maximumVolumeSize:5:*quantity',
  'storage/v1.StorageClass':
    'metadata:1:#meta/v1.ObjectMeta provisioner:2:string:keep parameters:3:{}string reclaimPolicy:4:*<v1.PersistentVolumeReclaimPolicy>string mountOptions:5:[]string allowVolumeExpansion:6:*bool volumeBindingMode:7:*<v1.VolumeBindingMode>string allowedTopologies:8:[]#core/v1.TopologySelectorTerm',
  'storage/v1.TokenRequest': 'audience:1:string:keep expirationSeconds:2:*int',
  'storage/v1.VolumeAttachment':
    'metadata:1:#meta/v1.ObjectMeta spec:2:#storage/v1.VolumeAttachmentSpec:keep status:3:#storage/v1.VolumeAttachmentStatus',
  'storage/v1.VolumeAttachmentSource':
    'persistentVolumeName:1:*string inlineVolumeSpec:2:*#core/v1.PersistentVolumeSpec',
  'storage/v1.VolumeAttachmentSpec':
    'attacher:1:string:keep source:2:#storage/v1.VolumeAttachmentSource:keep nodeName:3:string:keep',
  'storage/v1.VolumeAttachmentStatus':
    'attached:1:bool:keep attachmentMetadata:2:{}string attachError:3:*#storage/v1.VolumeError detachError:4:*#storage/v1.VolumeError',
  'storage/v1.VolumeAttributesClass':
    'metadata:1:#meta/v1.ObjectMeta driverName:2:string:keep parameters:3:{}string',
  'storage/v1.VolumeError': 'time:1:time message:2:string errorCode:3:*int',
  'storage/v1.VolumeNodeResources': 'count:1:*int',
}
