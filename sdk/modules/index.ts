// The public names of vcluster-plugin-sdk/modules, listed by hand, in the order in which a reader needs them.

// The first names: Modules in an operator or a plugin, a program, what its managers get, and both kinds.
export { moduleControllers } from './module-controllers.js'
export type { ModulesOptions } from './module/connection/modules-options.js'
export { defineProgram, type NewManagerOptions, type Program } from './manager/program.js'
export type { Manager, OperationContext } from './manager/manager.js'
export type { ModuleCluster } from './manager/module-cluster.js'
export { MetaData } from './metadata/metadata.js'
export { modules } from './kinds/module-kind.js'
export type { Module } from './kinds/module.js'
export { workspaces } from './kinds/workspace-kind.js'
export type { Workspace } from './kinds/workspace.js'
export type { LoadedProgramsOptions } from './module/programs/loaded-programs-options.js'

// More about managers: calls of the cluster, waiting, permissions.
export type { UntilOptions } from './manager/manager.js'
export type {
  ClusterCallOptions,
  KnownReplicas,
  ListQuery,
  ModuleObjectReference,
} from './manager/module-cluster.js'
export type { PolicyRule } from './manager/policy-rule.js'
export type { ModuleIdentity } from './manager/program-runner.js'

// The memory of a manager.
export type { MetaDataOptions, MetaDataSchema } from './metadata/metadata.js'
export { MetaDataError, type MetaDataErrorCode } from './metadata/metadata-error.js'
export type { JsonValue } from './metadata/copy-json.js'

// The parts of a Module.
export type {
  ConfigMapKey,
  ModuleCustom,
  ModulePhase,
  ModuleProgram,
  ModuleProgramRule,
  ModuleSource,
  ModuleSpec,
  ModuleStatus,
  NamedObject,
  OperationRecord,
} from './kinds/module.js'

// The parts of a Workspace.
export type {
  AutoHibernation,
  ForkedData,
  ForkedKind,
  ManagedCluster,
  VclusterState,
  WorkspaceFork,
  WorkspaceSpec,
  WorkspaceStatus,
} from './kinds/workspace.js'

// The parts of ModulesOptions.
export type { HelmModulesOptions } from './helm/helm-modules-options.js'
export type { ContainerRule, ContainersOptions } from './container/containers-options.js'
export type { ManagedWorkspacesOptions, PinnedChart, VclusterDistro } from './managed/managed-options.js'
export type { ForkDataOptions } from './module/connection/fork-data-options.js'
export type { KubeconfigOptions } from './module/connection/kubeconfig-addresses.js'
export type { NamespaceScope } from './module/connection/namespace-scope.js'
