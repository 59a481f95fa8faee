import type { RunEnd } from '../engine/controller/run-end.js'
import type { Probes } from '../engine/health/probes.js'
import type { Leadership } from '../engine/leader/leadership.js'
import type { Logger } from '../engine/observe/logger.js'
import type { MemoryUsage } from '../engine/observe/memory.js'
import type { Metrics } from '../engine/observe/metrics.js'
import type { Clock } from '../engine/time/clock.js'
import type { Transport } from '../engine/transport/transport.js'
import type { InternalWebhookOptions, WebhookOptions } from './webhook/webhook-options.js'

/**
 * The address of a cluster of an operator. A file `<cluster>.kubeconfig` in the folder that the environment variable
 * `CLUSTER_KUBECONFIGS` names counts more: deployments and `vcluster-plugin dev` set it.
 */
export interface ClusterAddress {
  /** A kubeconfig file; default the one that kubectl would use, or in a pod its service account. */
  kubeconfig?: string
  /** A context of that file; default its current one. */
  context?: string
}

/** Options of {@link createOperator}. */
export interface OperatorOptions {
  /**
   * The name of the operator, a DNS label: part of its Lease, its field managers and its User-Agent. Never change it.
   */
  name: string
  /** The clusters of the operator by name, the one with the Lease first; default one, named `main`. */
  clusters?: Readonly<Record<string, ClusterAddress>>
  /** Restricts the operator to one namespace; default all. */
  namespace?: string
  /** Whether replicas elect a leader, by a Lease; default true. Without it, run one replica only. */
  leaderElection?: boolean
  /**
   * The number of shards, 1 to 64, over which the replicas distribute the namespaces of the objects; default 1: one
   * replica serves all, and the others stand by. Each shard has a Lease.
   */
  shards?: number
  /** The namespace of the Lease; default `POD_NAMESPACE`, else that of the kubeconfig, else `default`. */
  leaseNamespace?: string
  /** Serves admission and conversion webhooks for the first cluster; default none. */
  webhooks?: WebhookOptions
  /** How long running keys may take to finish when the operator stops, in milliseconds; default 10,000. */
  stopDeadlineMs?: number
  /** The environment; default `process.env`. */
  env?: Readonly<Record<string, string | undefined>>
  /** Default JSON lines on standard output. */
  logger?: Logger
  /** Default those that the operator serves. */
  metrics?: Metrics
  /** Default the machine's clock. */
  clock?: Clock
}

/** Options for programs around an operator, such as the test kit: not for users. */
export interface InternalOperatorOptions extends OperatorOptions {
  /** Opens the clusters; default by their addresses. */
  openClusters?: () => Promise<OpenedClusters>
  /** Serves health and metrics; default nothing. */
  probes?: Probes
  /** Whether the operator stops at SIGTERM and SIGINT; default false. */
  stopsOnSignals?: boolean
  webhooks?: InternalWebhookOptions
  memory?: MemoryUsage | undefined
  containsRejections?: boolean
  onRunEnd?: (controller: string, end: RunEnd) => void
}

/** The clusters of an operator, connected. */
export interface OpenedClusters {
  /** The one with the Lease first. */
  readonly transports: ReadonlyMap<string, Transport>
  /** The namespace of the Lease if no option names one. */
  readonly namespace?: string | undefined
  /** Decides who leads in place of a Lease. */
  readonly lead?: () => Leadership
}
