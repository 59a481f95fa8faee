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

/** Hooks for Clusters. Each that is there is declared to the operator. */
export interface ClusterHooks<P = Record<string, string>> {
  /** Fills defaults into the draft of a new or changed Cluster. Runs as an admission webhook. */
  default?(ctx: ClusterDefaultContext<P>, cluster: CnpgCluster): Awaitable<void>
  /**
   * Refuses a Cluster that begins to use the plugin with `ctx.refuse`: a new one, or one that names or enables it now.
   * Runs as an admission webhook, after the parameters have been found to fit.
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
   * The status of the plugin in the Cluster; undefined leaves it as it is. It is sent only if it differs. Keep it
   * small, and let it change rarely: operators up to 1.30.0 empty it at each reconciliation, and each answer brings
   * another one. Therefore an unchanged status is sent at most twice a minute, and the Clusters of these operators show
   * it only for a moment.
   */
  status?(ctx: CnpgHookContext<P>, cluster: DeepReadonly<CnpgCluster>): Awaitable<object | undefined>
}
