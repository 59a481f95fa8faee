// Every public name, listed by hand. What is not here may change without notice.

export type {
  Client,
  DeleteOptions,
  GetOptions,
  ListAllOptions,
  ListOptions,
  Patch,
  WriteOptions,
} from './client/client.js'
// What syncers are handed.
export type { Cluster } from './cluster/cluster.js'
export { findKind, type NamedKind } from './cluster/find-kind.js'
export type { Manifests } from './cluster/read-manifests.js'
export type { LabelMode, RegisterContext, Side } from './context/register-context.js'
export type { SyncContext } from './context/sync-context.js'
export { NameConflictError } from './controller/name-conflict-error.js'
export type { ReconcileResult } from './controller/reconcile-result.js'
export { ClientHook, type HookContext, type HookMoment, type HookResult } from './hook/client-hook.js'
export {
  type AccessAnswer,
  type ForwardOptions,
  type InterceptContext,
  Interceptor,
} from './hook/interceptor.js'
export type { InterceptorRule } from './hook/interceptor-rule.js'
export type { PathAttributes, RequestAttributes, ResourceAttributes } from './hook/request-attributes.js'
export {
  type Builtin,
  type ConfigMap,
  type CustomResourceDefinition,
  configMaps,
  customResourceDefinitions,
  type DefinedVersion,
  type Deployment,
  deployments,
  type Endpoints,
  type Event,
  endpoints,
  events,
  type Ingress,
  ingresses,
  type Lease,
  leases,
  type Namespace,
  type NetworkPolicy,
  type Node,
  namespaces,
  networkPolicies,
  nodes,
  type PersistentVolume,
  type PersistentVolumeClaim,
  type Pod,
  type PriorityClass,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
  priorityClasses,
  type Raw,
  type Secret,
  type Service,
  type ServiceAccount,
  type StorageClass,
  secrets,
  serviceAccounts,
  services,
  storageClasses,
} from './kube/builtin.js'
export type { Caller } from './kube/caller.js'
export { safeConcatName } from './kube/concat-name.js'
export type { DeepReadonly, Given } from './kube/deep-readonly.js'
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
  PermanentError,
  PluginError,
  type Status,
  type StatusDetails,
} from './kube/error.js'
export type { PluginErrorCode } from './kube/error-code.js'
export { formatKey, type Key, keyOf, parseKey } from './kube/key.js'
// The words: objects, kinds, keys, errors.
export type { KubeList, KubeObject, ObjectMeta, OwnerReference } from './kube/object.js'
export { apiVersionOf, formatResource, type KindOf, type Resource, resourcePath } from './kube/resource.js'
export type { LabelSelector, LabelSelectorExpression } from './kube/selector.js'
export { type ConvertLabelKeyOptions, convertLabelKey, type LabelScheme } from './naming/labels.js'
export { syncFromHostLabel } from './naming/marks.js'
export type { NameMappings } from './naming/name-mappings.js'
export {
  clusterScopedMarker,
  hostName,
  hostNameClusterScoped,
  hostNameOwnNamespace,
  hostNameShort,
  hostNameShortHex,
  hostNamespaceOf,
} from './naming/names.js'
export type { HostNaming, NamespacedNamingOptions } from './naming/naming.js'
export { mergeLabelSelectors } from './naming/selectors.js'
export type { EventRecorder } from './observe/event-recorder.js'
export { type LogFields, type Logger, silentLogger } from './observe/logger.js'
export type { MemoryUsage } from './observe/memory.js'
export {
  type Counter,
  type Gauge,
  type Histogram,
  type MetricLabels,
  type MetricOptions,
  type Metrics,
  noMetrics,
} from './observe/metrics.js'
export { isForceSynced } from './ownership/ownership.js'
// What programs start with.
export { plugin } from './plugin/default-plugin.js'
export type { MissingPermissions } from './plugin/permission-check.js'
export { createPlugin, type Plugin } from './plugin/plugin.js'
export type { InitOptions, PluginOptions } from './plugin/plugin-options.js'
export type { StandbyMode } from './plugin/session.js'
export type { Store, StoreScope, Change } from './store/store.js'
// Objects and kinds that the virtual cluster does not have by itself.
export { type ApplyManifestsOptions, applyManifests } from './syncer/apply-manifests.js'
// What a plugin author writes.
export { type BothSides, type BothWaysOptions, bothWays } from './syncer/both-ways/both-ways.js'
export type { Conflict, ConflictRule } from './syncer/both-ways/decide.js'
export type { RememberedPath } from './syncer/both-ways/remembered.js'
export { type DefinitionSource, type EnsureCRDOptions, ensureCRD } from './syncer/ensure-crd.js'
export { FakeSyncer } from './syncer/fake-syncer.js'
export type { Permission } from './syncer/permission.js'
export { Reconciler } from './syncer/reconciler.js'
export { type PodReferencesOptions, podReferences } from './syncer/references/pod-references.js'
export type { ReferencePath } from './syncer/references/reference-path.js'
export type {
  KnownMembers,
  ObjectReference,
  ReferenceRule,
  References,
} from './syncer/references/reference-rules.js'
export type { Registrant } from './syncer/registrant.js'
export type { SyncResult } from './syncer/sync-result.js'
export { type GivenPair, type OldStates, type Pair, type PlainPair, Syncer } from './syncer/syncer.js'
export { ClusterTranslator, type ClusterTranslatorOptions } from './syncer/translator/cluster-translator.js'
export type { MirrorDownOptions, MirrorOptions } from './syncer/translator/down-mirror.js'
export type { FieldPath } from './syncer/translator/field-paths.js'
export {
  FromHostTranslator,
  type FromHostTranslatorOptions,
} from './syncer/translator/from-host-translator.js'
export { hostInternalReason } from './syncer/translator/host-internals.js'
export type { HostSelect } from './syncer/translator/host-selection.js'
export type { KeyFilter } from './syncer/translator/key-filter.js'
export {
  type MirrorBothOptions,
  type MirrorUpOptions,
  mirrorBoth,
  mirrorDown,
  mirrorUp,
} from './syncer/translator/mirror.js'
export { MirrorTranslator, type MirrorTranslatorOptions } from './syncer/translator/mirror-translator.js'
export {
  NamespacedTranslator,
  type NamespacedTranslatorOptions,
} from './syncer/translator/namespaced-translator.js'
export type { StatusOptions } from './syncer/translator/sync-status.js'
export { type MetadataUpdate, Translator, type TranslatorOptions } from './syncer/translator/translator.js'
export { UpTranslator, type UpTranslatorOptions } from './syncer/translator/up-translator.js'
export type { Watches, WatchOptions } from './syncer/watches.js'
// What the SDK emits, for programs that bring their own.
export { type Clock, systemClock } from './time/clock.js'
export type { WatchEvent } from './watch/event.js'
export type { WatchScope } from './watch/watch-scope.js'
