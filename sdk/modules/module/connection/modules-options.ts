import type { ControllerPermission } from '../../../operator/controller/controller-permission.js'
import type { ContainersOptions } from '../../container/containers-options.js'
import type { HelmModulesOptions } from '../../helm/helm-modules-options.js'
import type { ManagedWorkspacesOptions } from '../../managed/managed-options.js'
import type { Program } from '../../manager/program.js'
import type { LoadedProgramsOptions } from '../programs/loaded-programs-options.js'
import type { ForkDataOptions } from './fork-data-options.js'
import type { KubeconfigOptions } from './kubeconfig-addresses.js'
import type { NamespaceScope } from './namespace-scope.js'

/** Options of `moduleControllers`. */
export interface ModulesOptions {
  /**
   * The cluster that holds Workspaces and Modules: `virtual` or `host` in a plugin of a vcluster; default the only
   * cluster of an operator.
   */
  readonly workspaces?: string
  /** The programs of the operator itself, by the kind of definitions that they are for. Default: none. */
  readonly builtIn?: Readonly<Record<string, Program>>
  /** The programs that may be loaded. Default: none. */
  readonly programs?: LoadedProgramsOptions
  /** The Helm releases that Modules may have. Default: none. */
  readonly helm?: HelmModulesOptions
  /** The containers that may be managers of Modules. Default: none. */
  readonly containers?: ContainersOptions
  /**
   * Whether Workspaces may name a vcluster that sleeps and wakes with them. The operator then watches the StatefulSets
   * and Deployments of vclusters, and may patch them and delete Pods. Default: false.
   */
  readonly vclusters?: boolean
  /**
   * Makes Workspaces of the type `managed`, which get a vcluster of their own. The operator then has the permissions of
   * `vclusters` and `kubeconfigs`, and may create namespaces and what the chart of vcluster has. Default: none.
   */
  readonly managed?: ManagedWorkspacesOptions
  /**
   * Whether Workspaces may have the connection `kubeconfig`. The operator then watches the metadata of Secrets, and
   * users who may create Workspaces may use the kubeconfigs that `references` allows. Their API servers have no
   * loopback or link-local address, unless the options name its network. Default: false.
   */
  readonly kubeconfigs?: boolean | KubeconfigOptions
  /**
   * The namespaces of the Secrets with kubeconfigs and of the vclusters that a Workspace names, and of the Modules that
   * use its kubeconfig or its managed vcluster: that of the Workspace, or all. Users of other namespaces then use what
   * the operator may use there. Default: `same-namespace`.
   */
  readonly references?: NamespaceScope
  /**
   * The Workspaces that a fork may name in `spec.from`. Users who may create Workspaces can then read the Modules of
   * these. Default: `same-namespace`.
   */
  readonly forks?: NamespaceScope
  /**
   * Allows forks with `migrateData`, which copy the Secrets, ConfigMaps and volumes that Helm Modules name in
   * `migration`. Their data then leaves the namespace of the source for that of the fork. Default: none.
   */
  readonly forkData?: ForkDataOptions
  /** `secret` keeps all metadata in Secrets; by default only metadata of more than 64 KiB is. */
  readonly metadata?: 'annotation' | 'secret'
  /**
   * Whether a StatefulSet whose `persistentVolumeClaimRetentionPolicy.whenScaled` is `Delete` sleeps with the policy
   * `Retain`, and gets its own back with the wake. By default it is not put to sleep, because Kubernetes would delete
   * its volumes.
   */
  readonly keepVolumes?: boolean
  /** How many managers are called at a time. Default: 100. */
  readonly concurrency?: number
  /** Permissions that managers need, for the roles of the operator. Default: none. */
  readonly permissions?: readonly ControllerPermission[]
}
