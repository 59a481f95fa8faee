// The public names of vcluster-plugin-sdk/cnpg, listed by hand, in the order in which a reader needs them.

// The first names: a plugin, the context and the error of its hooks, a sidecar, and the Cluster.
export { createCnpgPlugin } from './create-cnpg-plugin.js'
export type { CnpgPlugin } from './cnpg-plugin.js'
export type { CnpgPluginOptions } from './plugin-options.js'
export type { CnpgHookContext, ObjectContext } from './context/contexts.js'
export { HookError } from './calls/hook-error.js'
export { jsonText } from './parameters/json-text.js'
export { addSidecar, setEnv, type WithPodSpec } from './pod/sidecar.js'
export { clusters, type CnpgCluster } from './cluster/cluster.js'
export { type Job, jobs } from '../engine/kube/builtin-workloads.js'

// More about a plugin: its types, its parameters, its permissions.
export type { CnpgContextOf, ParametersOf } from './cnpg-plugin.js'
export type { Maturity, PluginMetadata } from './context/plugin-identity.js'
export type { ParameterProblem, ParameterSchema } from './parameters/parameters.js'
export type { ClusterPermission } from './lazy-cluster-client.js'

// Its hooks, and their answers.
export type { ObjectHandler, ObjectHook, PodHook } from './hooks/object-hook.js'
export type { ObjectVerb } from './context/verb.js'
export type { ClusterHooks } from './hooks/cluster-hooks.js'
export type { BackupHooks, TakenBackup } from './hooks/backup-hooks.js'
export type { WalArchiveStatus, WalHooks, WalToArchive, WalToRestore } from './hooks/wal-hooks.js'
export type {
  InstanceMetric,
  InstanceSample,
  MetricsHook,
  PostgresHook,
  PostgresOperation,
  RestoreConfiguration,
  RestoreJobHook,
  RestoreOptions,
} from './hooks/instance-hooks.js'
export type { Awaitable, Optional } from './hooks/optional.js'

// The contexts and errors of single hooks.
export type {
  ClusterDefaultContext,
  ClusterValidateContext,
  ReconcileContext,
  ReconcileStop,
  Refusal,
} from './context/contexts.js'
export type { HookErrorCode, HookErrorOptions } from './calls/hook-error.js'

// The kinds of CloudNativePG.
export {
  backups,
  type Backup,
  type ClusterPlugin,
  type ClusterPluginStatus,
  type ClusterSpec,
  type ClusterStatus,
  type OtherFields,
} from './cluster/cluster.js'
export type { PluginEntry } from './cluster/plugin-entry.js'

// Changes of Pods.
export type { AddSidecarOptions, PodContainer, PodSpec, SidecarOptions } from './pod/sidecar.js'
