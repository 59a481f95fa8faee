// vcluster-plugin-sdk/cnpg: plugins for CloudNativePG (CNPG-I) in TypeScript.

export { HookError, type HookErrorCode, type HookErrorOptions } from './calls/hook-error.js'
// Kinds of CloudNativePG.
export {
  type Backup,
  backups,
  type Cluster,
  type ClusterPlugin,
  type ClusterPluginStatus,
  type ClusterSpec,
  type ClusterStatus,
  clusters,
} from './cluster/cluster.js'
export type { PluginEntry } from './cluster/plugin-entry.js'
export { pluginEntry } from './cluster/plugin-entry.js'
export type { DefaultContext } from './context/default-context.js'
// The arguments of hooks.
export type { HookContext } from './context/hook-context.js'
export type { ObjectContext } from './context/object-context.js'
export type { Maturity, PluginMetadata } from './context/plugin-identity.js'
export type { ReconcileContext, ReconcileStop } from './context/reconcile-context.js'
export type { Refusal, ValidateContext } from './context/validate-context.js'
// The plugin.
export { createPlugin } from './create-plugin.js'
export type { BackupHooks, TakenBackup } from './hooks/backup-hooks.js'
export type { ClusterHooks } from './hooks/cluster-hooks.js'
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
// Hooks.
export type { ObjectHandler, ObjectHook, PodHook } from './hooks/object-hook.js'
export type { Verb } from './hooks/verb.js'
export type { WalArchiveStatus, WalHooks, WalToArchive, WalToRestore } from './hooks/wal-hooks.js'
export { jsonText } from './parameters/json-text.js'
export type { CnpgPlugin, ContextOf, ParametersOf } from './plugin.js'
export type { CnpgPluginOptions } from './plugin-options.js'

// Changes of Pods.
export { addSidecar, setEnv } from './pod/sidecar.js'
