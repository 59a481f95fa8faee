// The public names of the SDK, listed by hand, in the order in which a reader needs them. Other names may change
// without notice.

// The first names: a program, a mirror in one line, a translator with your own changes, and what its methods get.
export { plugin } from './vcluster/plugin/default-plugin.js'
export type { Plugin } from './vcluster/plugin/plugin.js'
export type { RegisterContext } from './vcluster/context/register-context.js'
export { mirrorDown } from './vcluster/syncer/translator/mirror.js'
export { NamespacedTranslator } from './vcluster/syncer/translator/namespaced-translator.js'
export type { SyncContext } from './vcluster/context/sync-context.js'
export type { Pair } from './vcluster/syncer/syncer.js'
export type { DeepReadonly } from './engine/kube/deep-readonly.js'
export type { SyncResult } from './vcluster/syncer/sync-result.js'
export { isNotFound, PermanentError } from './engine/kube/error.js'
export { type Key, keyOf } from './engine/kube/key.js'
export { type ConfigMap, configMaps } from './engine/kube/builtin.js'

// Mirrors: their options, and the other directions.
export type { MirrorDownOptions, MirrorOptions } from './vcluster/syncer/translator/down-mirror.js'
export {
  type MirrorBothOptions,
  type MirrorUpOptions,
  mirrorBoth,
  mirrorUp,
} from './vcluster/syncer/translator/mirror.js'

// The contexts of your code: clusters, clients, stores.
export type { Cluster } from './engine/cluster/cluster.js'
export type { Client } from './engine/client/client.js'
export type { Change, Store, StoreScope, Unconfirmed } from './engine/store/store.js'
export type { Selectors } from './engine/store/selectors.js'
export type { Writer } from './engine/store/writer.js'
export type { Side } from './vcluster/context/register-context.js'
export type { OldStates } from './vcluster/syncer/syncer.js'

// The result or the error of a run.
export type { ReconcileResult } from './engine/controller/reconcile-result.js'
export { PluginError } from './engine/kube/error.js'
export type { PluginErrorCode } from './engine/kube/error-code.js'
export { NameConflictError } from './engine/controller/name-conflict-error.js'

// Answers of an API server that are errors.
export {
  ApiError,
  isAlreadyExists,
  isConflict,
  isForbidden,
  isGone,
  isInvalid,
  isTooManyRequests,
  isUnauthorized,
  type Status,
  type StatusDetails,
} from './engine/kube/error.js'

// Translators: their options; cluster-scoped kinds, host objects shown in the virtual cluster, rules of your own.
export type { NamespacedTranslatorOptions } from './vcluster/syncer/translator/namespaced-translator.js'
export {
  ClusterTranslator,
  type ClusterTranslatorOptions,
} from './vcluster/syncer/translator/cluster-translator.js'
export {
  FromHostTranslator,
  type FromHostTranslatorOptions,
} from './vcluster/syncer/translator/from-host-translator.js'
export type { HostSelect } from './vcluster/syncer/translator/host-selection.js'
export { hostInternalReason } from './vcluster/syncer/translator/host-internals.js'
export {
  MirrorTranslator,
  type MirrorTranslatorOptions,
} from './vcluster/syncer/translator/mirror-translator.js'
export { UpTranslator } from './vcluster/syncer/translator/up-translator.js'
export type { UpTranslatorOptions } from './vcluster/syncer/translator/up-translator-options.js'
export { Translator } from './vcluster/syncer/translator/translator.js'
export type {
  OwnTranslatorOptions,
  TranslatorOptions,
} from './vcluster/syncer/translator/translator-options.js'
export type { MetadataUpdate } from './vcluster/syncer/translator/copy-translation.js'
export type { KeyFilter } from './vcluster/syncer/translator/key-filter.js'
export type { ExcludedPath, FieldPath } from './vcluster/syncer/fields/field-paths.js'

// Steps that a translator's `sync` and `syncDown` may take: status, finalizers, deletion; and a search by host name.
export { type StatusOptions, syncUpStatus } from './vcluster/syncer/translator/sync-status.js'
export { syncFinalizers } from './vcluster/syncer/translator/sync-finalizers.js'
export { finishDeletion, syncDeletion } from './vcluster/syncer/translator/sync-deletion.js'
export { indexHostNames, virtualByHostName } from './vcluster/syncer/translator/host-name-index.js'

// Fields that both sides may change.
export { type BothSides, type MergeBothOptions, mergeBoth } from './vcluster/syncer/both/merge-both.js'
export type { BothMirrorOptions } from './vcluster/syncer/translator/both-mirror.js'
export type { ConflictRule, FieldConflict } from './vcluster/syncer/both/decide.js'
export type { RememberedPath } from './vcluster/syncer/both/remembered.js'

// Names and selectors inside a spec.
export { type PodReferencesOptions, podReferences } from './vcluster/syncer/references/pod-references.js'
export type { ReferencePath } from './vcluster/syncer/references/reference-path.js'
export type {
  KnownMembers,
  KnownValues,
  ObjectReference,
  ReferenceRule,
  References,
  TypedReference,
} from './vcluster/syncer/references/reference-rules.js'
export {
  hostLabelSelector,
  type HostLabelSelectorOptions,
  mergeLabelSelectors,
  namespaceLabelSelector,
  virtualLabelSelector,
} from './vcluster/naming/selectors.js'

// Syncers without a translator, and other work of a plugin.
export { Syncer } from './vcluster/syncer/syncer.js'
export { FakeSyncer } from './vcluster/syncer/fake-syncer.js'
export { Reconciler } from './vcluster/syncer/reconciler.js'
export type { Watches, SyncerWatchOptions } from './vcluster/syncer/watches.js'
export type { Runnable } from './vcluster/syncer/runnable.js'
export type { Permission } from './vcluster/syncer/permission.js'

// Hooks on the objects that vcluster itself syncs, and interceptors of API requests.
export { ClientHook, type HookContext, type HookResult, type HookType } from './vcluster/hook/client-hook.js'
export { HookDenialError } from './vcluster/hook/hook-denial-error.js'
export {
  type AccessAnswer,
  type ForwardOptions,
  type InterceptContext,
  Interceptor,
} from './vcluster/hook/interceptor.js'
export type { InterceptorRule } from './vcluster/hook/interceptor-rule.js'
export type {
  PathAttributes,
  RequestAttributes,
  ResourceAttributes,
} from './vcluster/hook/request-attributes.js'
export type { Caller } from './engine/kube/caller.js'

// Objects and kinds that the virtual cluster does not have by itself.
export { type ApplyManifestsOptions, applyManifests } from './vcluster/syncer/apply-manifests.js'
export type { Manifests } from './engine/cluster/read-manifests.js'
export {
  type DefinitionSource,
  type EnsureCRDOptions,
  ensureCRD,
  ensureCRDPermissions,
} from './vcluster/syncer/ensure-crd.js'
export { findKind, type NamedKind } from './engine/cluster/find-kind.js'

// Kinds of Kubernetes.
export {
  type AbsentMember,
  type Builtin,
  type BuiltinMember,
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
  type QuantityMember,
  type Raw,
  type RawMember,
  type RawQuantities,
  type RawRead,
  type Secret,
  secrets,
  type Service,
  services,
  type ServiceAccount,
  serviceAccounts,
  type StorageClass,
  storageClasses,
} from './engine/kube/builtin.js'
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
} from './engine/kube/builtin-workloads.js'
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
} from './engine/kube/builtin-policies.js'

// Objects, kinds and keys in general.
export type { KubeList, KubeObject, ObjectMeta, OwnerReference } from './engine/kube/object.js'
export { apiVersionOf, type KindOf, type Resource } from './engine/kube/resource.js'
export { formatKey, parseKey } from './engine/kube/key.js'
export type { LabelSelector, LabelSelectorExpression } from './engine/kube/label-selector.js'

// Options of a client's calls.
export type {
  CallOptions,
  DeleteCollectionOptions,
  DeleteOptions,
  DeletionOptions,
  GetOptions,
  JsonPatch,
  ListAllOptions,
  ListOptions,
  ObjectPatch,
  Patch,
  SelectOptions,
  WriteOptions,
} from './engine/client/client.js'
export type { JsonPatchOperation } from './engine/kube/json-patch/operation.js'

// Names and labels of copies on the host.
export {
  hostName,
  hostNameClusterScoped,
  hostNameShort,
  hostNamespaceOf,
} from './vcluster/naming/names.js'
export {
  type ConvertLabelKeyOptions,
  convertLabelKey,
  type LabelScheme,
  virtualLabels,
} from './vcluster/naming/labels.js'
export { nameAnnotation, namespaceAnnotation, syncFromHostLabel } from './vcluster/naming/ownership-keys.js'
export type { LabelMode } from './vcluster/context/register-context.js'
export type { NameMappings } from './vcluster/naming/name-mappings.js'
export type { HostNaming, NamespacedNamingOptions } from './vcluster/naming/naming.js'

// Programs that create a plugin with their own logger, metrics or clock.
export { createPlugin } from './vcluster/plugin/create-plugin.js'
export type { InitOptions, PluginOptions } from './vcluster/plugin/plugin-options.js'
export type { MissingPermissions } from './vcluster/plugin/permission-check.js'
export type { StandbyMode } from './vcluster/plugin/session.js'
export type { RunEnd, RunResult } from './engine/controller/run-end.js'
export { type Clock, systemClock } from './engine/time/clock.js'

// Logs, metrics and Events.
export { type LogFields, type Logger, silentLogger } from './engine/observe/logger.js'
export {
  type Counter,
  type Gauge,
  type GaugeOptions,
  type Histogram,
  type MetricLabels,
  type MetricOptions,
  type Metrics,
  noMetrics,
} from './engine/observe/metrics.js'
export type { EventDetails, EventRecorder } from './engine/observe/event-recorder.js'

// Events of a watch.
export type { WatchEvent } from './engine/watch/event.js'
export type { WatchScope } from './engine/watch/watch-scope.js'
