// The public names of vcluster-plugin-sdk/cnpg, in a reader's order.

// A plugin.
export { createCnpgPlugin } from './create-cnpg-plugin.js'
export type { CnpgPlugin, CnpgContextOf, ParametersOf } from './cnpg-plugin.js'
export type { CnpgPluginOptions } from './plugin-options.js'
export type { ClusterPermission } from './cluster-access.js'
export type { Maturity, PluginMetadata } from './context/plugin-identity.js'
export { jsonText } from './parameters/json-text.js'
export type { ParameterProblem, ParameterSchema } from './parameters/parameters.js'

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

// The contexts of hooks.
export type {
  ClusterDefaultContext,
  CnpgHookContext,
  ObjectContext,
  ReconcileContext,
  ReconcileStop,
  Refusal,
  ClusterValidateContext,
} from './context/contexts.js'
export { HookError, type HookErrorCode, type HookErrorOptions } from './calls/hook-error.js'

// The kinds of CloudNativePG.
export {
  backups,
  clusters,
  type Backup,
  type CnpgCluster,
  type ClusterPlugin,
  type ClusterPluginStatus,
  type ClusterSpec,
  type ClusterStatus,
  type OtherFields,
} from './cluster/cluster.js'
export type { PluginEntry } from './cluster/plugin-entry.js'

// Changes of Pods.
export { type Job, jobs } from '../engine/kube/builtin-workloads.js'
export {
  addSidecar,
  type AddSidecarOptions,
  setEnv,
  type PodContainer,
  type PodSpec,
  type SidecarOptions,
  type WithPodSpec,
} from './pod/sidecar.js'
