// The public names of the SDK, listed by hand, in the order in which a reader needs them. Other names may change
// without notice. The first three groups are enough for most plugins.

// The start of a program.
export { plugin } from './plugin/default-plugin.js'
export type { Plugin } from './plugin/plugin.js'
export type { RegisterContext } from './context/register-context.js'

// For the usual cases: a mirror in one line, or a translator with your own changes.
export {
  type MirrorBothOptions,
  type MirrorUpOptions,
  mirrorBoth,
  mirrorDown,
  mirrorUp,
} from './syncer/translator/mirror.js'
export type { MirrorDownOptions, MirrorOptions } from './syncer/translator/down-mirror.js'
export {
  NamespacedTranslator,
  type NamespacedTranslatorOptions,
} from './syncer/translator/namespaced-translator.js'

// The arguments of your code: the run, both objects, clients, stores.
export type { SyncContext } from './context/sync-context.js'
export type { GivenPair, OldStates, Pair, PlainPair } from './syncer/syncer.js'
export type { DeepReadonly, Given } from './kube/deep-readonly.js'
export type { Cluster } from './cluster/cluster.js'
export type { Client } from './client/client.js'
export type { Selectors } from './store/selectors.js'
export type { Change, Store, StoreScope, Unconfirmed } from './store/store.js'
export type { Writer } from './store/writer.js'
export type { Side } from './context/register-context.js'

// The result or the error of a run.
export type { SyncResult } from './syncer/sync-result.js'
export type { ReconcileResult } from './controller/reconcile-result.js'
export { PermanentError, PluginError } from './kube/error.js'
export type { PluginErrorCode } from './kube/error-code.js'
export { NameConflictError } from './controller/name-conflict-error.js'

// Answers of an API server that are errors.
export {
  ApiError,
  isAlreadyExists,
  isConflict,
  isForbidden,
  isGone,
  isInvalid,
  isNotFound,
  isTooManyRequests,
  isUnauthorized,
  type Status,
  type StatusDetails,
} from './kube/error.js'

// More translators: cluster-scoped kinds, host objects shown in the virtual cluster, rules of your own.
export { ClusterTranslator, type ClusterTranslatorOptions } from './syncer/translator/cluster-translator.js'
export {
  FromHostTranslator,
  type FromHostTranslatorOptions,
} from './syncer/translator/from-host-translator.js'
export type { HostSelect } from './syncer/translator/host-selection.js'
export { hostInternalReason } from './syncer/translator/host-internals.js'
export { MirrorTranslator, type MirrorTranslatorOptions } from './syncer/translator/mirror-translator.js'
export { UpTranslator, type UpTranslatorOptions } from './syncer/translator/up-translator.js'
export { Translator } from './syncer/translator/translator.js'
export type { OwnTranslatorOptions, TranslatorOptions } from './syncer/translator/translator-options.js'
export type { MetadataUpdate } from './syncer/translator/copy-translation.js'
export type { KeyFilter } from './syncer/translator/key-filter.js'
export type { ExcludedPath, FieldPath } from './syncer/translator/field-paths.js'

// Steps that a translator's `sync` and `syncDown` may take: status, finalizers, deletion; and a search by host name.
export { type StatusOptions, syncUpStatus } from './syncer/translator/sync-status.js'
export { syncFinalizers } from './syncer/translator/sync-finalizers.js'
export { finishDeletion, syncDeletion } from './syncer/translator/sync-deletion.js'
export { indexHostNames, virtualByHostName } from './syncer/translator/host-name-index.js'

// Fields that both sides may change.
export { type BothSides, type MergeBothOptions, mergeBoth } from './syncer/both/merge-both.js'
export type { BothMirrorOptions } from './syncer/translator/both-mirror.js'
export type { ConflictRule, FieldConflict } from './syncer/both/decide.js'
export type { RememberedPath } from './syncer/both/remembered.js'

// Names and selectors inside a spec.
export { type PodReferencesOptions, podReferences } from './syncer/references/pod-references.js'
export type { ReferencePath } from './syncer/references/reference-path.js'
export type {
  KnownMembers,
  ObjectReference,
  ReferenceRule,
  References,
} from './syncer/references/reference-rules.js'
export {
  hostLabelSelector,
  type HostLabelSelectorOptions,
  mergeLabelSelectors,
  namespaceLabelSelector,
  virtualLabelSelector,
} from './naming/selectors.js'

// Syncers without a translator, and other work of a plugin.
export { Syncer } from './syncer/syncer.js'
export { FakeSyncer } from './syncer/fake-syncer.js'
export { Reconciler } from './syncer/reconciler.js'
export type { Watches, WatchOptions } from './syncer/watches.js'
export type { Runnable } from './syncer/runnable.js'
export type { Permission } from './syncer/permission.js'

// Hooks on the objects that vcluster itself syncs, and interceptors of API requests.
export { ClientHook, type HookContext, type HookResult, type HookType } from './hook/client-hook.js'
export {
  type AccessAnswer,
  type ForwardOptions,
  type InterceptContext,
  Interceptor,
} from './hook/interceptor.js'
export type { InterceptorRule } from './hook/interceptor-rule.js'
export type { PathAttributes, RequestAttributes, ResourceAttributes } from './hook/request-attributes.js'
export type { Caller } from './kube/caller.js'

// Objects and kinds that the virtual cluster does not have by itself.
export { type ApplyManifestsOptions, applyManifests } from './syncer/apply-manifests.js'
export type { Manifests } from './cluster/read-manifests.js'
export {
  type DefinitionSource,
  type EnsureCRDOptions,
  ensureCRD,
  ensureCRDPermissions,
} from './syncer/ensure-crd.js'
export { findKind, type NamedKind } from './cluster/find-kind.js'

// Kinds of Kubernetes.
export {
  type Builtin,
  type ConfigMap,
  configMaps,
  type CustomResourceDefinition,
  customResourceDefinitions,
  type DefinedVersion,
  type Deployment,
  deployments,
  type Endpoints,
  endpoints,
  type Event,
  events,
  type Ingress,
  ingresses,
  type Lease,
  leases,
  type Namespace,
  namespaces,
  type NetworkPolicy,
  networkPolicies,
  type Node,
  nodes,
  type PersistentVolume,
  persistentVolumes,
  type PersistentVolumeClaim,
  persistentVolumeClaims,
  type Pod,
  pods,
  type PriorityClass,
  priorityClasses,
  type Raw,
  type Secret,
  secrets,
  type Service,
  services,
  type ServiceAccount,
  serviceAccounts,
  type StorageClass,
  storageClasses,
} from './kube/builtin.js'
export {
  type CronJob,
  cronJobs,
  type DaemonSet,
  daemonSets,
  type HorizontalPodAutoscaler,
  horizontalPodAutoscalers,
  type Job,
  jobs,
  type PodDisruptionBudget,
  podDisruptionBudgets,
  type ReplicaSet,
  replicaSets,
  type StatefulSet,
  statefulSets,
} from './kube/builtin-workloads.js'
export {
  type ClusterRole,
  clusterRoles,
  type ClusterRoleBinding,
  clusterRoleBindings,
  type LimitRange,
  limitRanges,
  type ResourceQuota,
  resourceQuotas,
  type Role,
  roles,
  type RoleBinding,
  roleBindings,
} from './kube/builtin-policies.js'

// Objects, kinds and keys in general.
export type { KubeList, KubeObject, ObjectMeta, OwnerReference } from './kube/object.js'
export { apiVersionOf, formatResource, type KindOf, type Resource } from './kube/resource.js'
export { formatKey, type Key, keyOf, parseKey } from './kube/key.js'
export type { LabelSelector, LabelSelectorExpression } from './kube/label-selector.js'

// Options of a client's calls.
export type {
  CallOptions,
  DeleteCollectionOptions,
  DeleteOptions,
  DeletionOptions,
  GetOptions,
  JsonPatch,
  JsonPatchOperation,
  ListAllOptions,
  ListOptions,
  ObjectPatch,
  Patch,
  SelectOptions,
  WriteOptions,
} from './client/client.js'

// Names and labels of copies on the host.
export {
  clusterScopedMarker,
  hostName,
  hostNameClusterScoped,
  hostNameOwnNamespace,
  hostNameShort,
  hostNamespaceOf,
} from './naming/names.js'
export {
  type ConvertLabelKeyOptions,
  convertLabelKey,
  type LabelScheme,
  virtualLabels,
} from './naming/labels.js'
export { nameAnnotation, namespaceAnnotation, syncFromHostLabel } from './naming/ownership-keys.js'
export type { LabelMode } from './context/register-context.js'
export type { NameMappings } from './naming/name-mappings.js'
export type { HostNaming, NamespacedNamingOptions } from './naming/naming.js'

// Programs that create a plugin with their own logger, metrics or clock.
export { createPlugin } from './plugin/create-plugin.js'
export type { InitOptions, PluginOptions } from './plugin/plugin-options.js'
export type { MissingPermissions } from './plugin/permission-check.js'
export type { StandbyMode } from './plugin/session.js'
export type { RunEnd, RunResult } from './controller/run-end.js'
export { type Clock, systemClock } from './time/clock.js'

// Logs, metrics and Events.
export { type LogFields, type Logger, silentLogger } from './observe/logger.js'
export {
  type Counter,
  type Gauge,
  type GaugeOptions,
  type Histogram,
  type MetricLabels,
  type MetricOptions,
  type Metrics,
  noMetrics,
} from './observe/metrics.js'
export type { EventDetails, EventRecorder } from './observe/event-recorder.js'

// Events of a watch.
export type { WatchEvent } from './watch/event.js'
export type { WatchScope } from './watch/watch-scope.js'
