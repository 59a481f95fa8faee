import type { DeepReadonly } from '../../engine/kube/deep-readonly.js'
import type { CnpgCluster } from '../cluster/cluster.js'
import type {
  ClusterDefaultContext,
  ClusterValidateContext,
  CnpgHookContext,
  ReconcileContext,
  ReconcileStop,
} from '../context/contexts.js'
import type { Awaitable, Optional } from './optional.js'

/** Hooks for Clusters. The plugin declares to the operator which of them are set. */
export interface ClusterHooks<P = Record<string, string>> {
  /** Fills defaults into the draft of a new or changed Cluster. Runs as an admission webhook. */
  default?(ctx: ClusterDefaultContext<P>, cluster: CnpgCluster): Awaitable<void>
  /**
   * Refuses, with `ctx.refuse`, a Cluster that begins to use the plugin: a new Cluster, or a changed Cluster that now
   * names or enables the plugin. Runs as an admission webhook, if the parameters fit the schema.
   */
  validateCreate?(ctx: ClusterValidateContext<P>, cluster: DeepReadonly<CnpgCluster>): Awaitable<void>
  /** Refuses a change of a Cluster that used the plugin before. */
  validateChange?(
    ctx: ClusterValidateContext<P>,
    old: DeepReadonly<CnpgCluster>,
    cluster: DeepReadonly<CnpgCluster>,
  ): Awaitable<void>
  /** Runs before a reconciliation looks at the instances. */
  preReconcile?(ctx: ReconcileContext<P>, cluster: DeepReadonly<CnpgCluster>): Optional<ReconcileStop>
  /** Runs at the end of a reconciliation that has nothing left to do. */
  postReconcile?(ctx: ReconcileContext<P>, cluster: DeepReadonly<CnpgCluster>): Optional<ReconcileStop>
  /**
   * Returns the status of the plugin in the Cluster; undefined leaves the status unchanged. A status is sent only if it
   * differs. Keep it small, and let it change rarely: operators up to 1.30.0 clear the status at each reconciliation,
   * and each new status causes another reconciliation. Therefore an unchanged status is sent at most twice a minute,
   * and with these operators a Cluster shows the status only for a moment.
   */
  status?(ctx: CnpgHookContext<P>, cluster: DeepReadonly<CnpgCluster>): Awaitable<object | undefined>
}
