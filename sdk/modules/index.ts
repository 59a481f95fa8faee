// The public names of vcluster-plugin-sdk/modules, in a reader's order.

// Modules in an operator, or in a plugin of a vcluster.
export { moduleControllers } from './module-controllers.js'
export type { ModulesOptions } from './module/connection/modules-options.js'

// A program: it makes the managers of Modules.
export { defineProgram, type NewManagerOptions, type Program } from './manager/program.js'
export type { Manager, OperationContext, UntilOptions } from './manager/manager.js'
export type {
  ClusterCallOptions,
  KnownReplicas,
  ListQuery,
  ModuleCluster,
  ModuleObjectReference,
} from './manager/module-cluster.js'
export type { PolicyRule } from './manager/policy-rule.js'
export type { ModuleIdentity } from './manager/program-runner.js'

// The memory of a manager.
export { MetaData, type MetaDataOptions, type MetaDataSchema } from './metadata/metadata.js'
export { MetaDataError, type MetaDataErrorCode } from './metadata/metadata-error.js'
export type { JsonValue } from './metadata/copy-json.js'

// The kinds.
export { modules } from './kinds/module-kind.js'
export type {
  ConfigMapKey,
  Module,
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
export { workspaces } from './kinds/workspace-kind.js'
export type {
  AutoHibernation,
  ForkedData,
  ForkedKind,
  ManagedCluster,
  VclusterState,
  Workspace,
  WorkspaceFork,
  WorkspaceSpec,
  WorkspaceStatus,
} from './kinds/workspace.js'

// The parts of ModulesOptions.
export type { LoadedProgramsOptions } from './module/programs/loaded-programs-options.js'
export type { HelmModulesOptions } from './helm/helm-modules-options.js'
export type { ContainerRule, ContainersOptions } from './container/containers-options.js'
export type { ManagedWorkspacesOptions, PinnedChart, VclusterDistro } from './managed/managed-options.js'
export type { ForkDataOptions } from './module/connection/fork-data-options.js'
export type { KubeconfigOptions } from './module/connection/kubeconfig-addresses.js'
export type { NamespaceScope } from './module/connection/namespace-scope.js'
