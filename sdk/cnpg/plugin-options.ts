import type { z } from 'zod'
import type { Client } from '../engine/client/client.js'
import type { Probes } from '../engine/health/probes.js'
import type { Logger } from '../engine/observe/logger.js'
import type { Metrics } from '../engine/observe/metrics.js'
import type { Clock } from '../engine/time/clock.js'
import type { PluginMetadata } from './context/plugin-identity.js'
import type { ClusterPermission } from './lazy-cluster-client.js'
import type { Trial } from './services/object-patch.js'

/** Options of {@link createCnpgPlugin}. */
export interface CnpgPluginOptions<P> extends PluginMetadata {
  /** The schema of the parameters. In a Cluster all parameters are texts; default any texts. */
  parameters?: z.ZodType<P>
  /** The permissions of `plugin.client()`; `vcluster-plugin manifest` prints the roles. Default none. */
  permissions?: readonly ClusterPermission[]
  /** The client of the cluster, for tests; default that of `KUBECONFIG` or of the ServiceAccount of the Pod. */
  client?: Client
  /** Default the arguments of the process. */
  args?: readonly string[]
  /** Default `process.env`. */
  env?: Readonly<Record<string, string | undefined>>
  /** Default JSON lines on standard output. */
  logger?: Logger
  /** Default those that the plugin serves. */
  metrics?: Metrics
  /** Default the machine's clock. */
  clock?: Clock
  /** How long running calls may take to finish when the plugin stops, in milliseconds; default 10,000. */
  stopDeadlineMs?: number
}

/** Options of programs around a plugin, such as the test kit: not for users. */
export interface InternalCnpgPluginOptions<P> extends CnpgPluginOptions<P> {
  probes?: Probes
  trial?: Trial
  /** An unchanged status is sent at most twice in this time, in milliseconds; default one minute. */
  statusPauseMs?: number
  stopsOnSignals?: boolean
}
