import type { ApiServer } from '../../apiserver/api-server.js'
import type { Transport } from '../../sdk/engine/transport/transport.js'
import type { Side } from '../../sdk/vcluster/context/register-context.js'
import type { VirtualClock } from '../clock/virtual-clock.js'

/**
 * Provides the two clusters of a scenario. The default is two embedded clusters, new for each run; see
 * {@link realClusters} for clusters that already exist.
 */
export interface TestEnvironment {
  /** Opens both clusters for one run. `clock` is the plugin's clock. */
  open(clock: VirtualClock): Promise<ClusterPair>
}

/** The two clusters of one run. */
export interface ClusterPair extends Readonly<Record<Side, TestCluster>>, RunClusters {}

/** Provides the clusters of an operator's scenario, by name. The default is new embedded clusters for each run. */
export interface OperatorEnvironment {
  /** Opens the clusters with these names for one run. `clock` is the operator's clock. */
  open(names: readonly string[], clock: VirtualClock): Promise<OperatorRun>
}

/** The clusters of one run of an operator's scenario. */
export interface OperatorRun extends RunClusters {
  readonly byName: Readonly<Record<string, TestCluster>>
}

/** Waits for the clusters of one run, and closes them. */
export interface RunClusters {
  /** Waits for a short time in which pending work can continue. */
  tick(): Promise<void>
  /** The number of ticks in a row without any change after which no work is pending. */
  readonly quietTicks: number
  /** Deletes what the run created, and releases connections. */
  close(): Promise<void>
}

/** One cluster of a {@link ClusterPair}. */
export interface TestCluster {
  /** Opens a transport to the cluster. */
  connect(): Transport
  /** Differs from its previous value whenever a watch of this cluster may have an event to deliver. */
  readonly revision: string
  /** Discards the watch history, as etcd's compaction does: watches from before must list again. */
  compact(): void
  /** The API server, if it is an embedded one. */
  readonly server: ApiServer | undefined
}
