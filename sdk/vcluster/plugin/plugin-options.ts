import type { RunEnd } from '../../engine/controller/run-end.js'
import type { Probes } from '../../engine/health/probes.js'
import type { Logger } from '../../engine/observe/logger.js'
import type { MemoryUsage } from '../../engine/observe/memory.js'
import type { Metrics } from '../../engine/observe/metrics.js'
import type { Clock } from '../../engine/time/clock.js'
import type { LabelMode } from '../context/register-context.js'
import type { MissingPermissions } from './permission-check.js'
import type { OpenSession, StandbyMode } from './session.js'

/** Options of `createPlugin`. */
export interface PluginOptions {
  /** The environment, which decides the mode; default `process.env`. */
  env?: Readonly<Record<string, string | undefined>>
  /** The logger; default JSON lines on standard output; inside vcluster's container, lines that vcluster prints. */
  logger?: Logger
  /** Receives the metrics; default the metrics that the plugin serves. */
  metrics?: Metrics
  /** The source of time; default the machine's clock. */
  clock?: Clock
  /** Whether rejections that a syncer did not wait for are kept from ending the process; default true. */
  containsRejections?: boolean
  /**
   * Called with the result of each run of a syncer, right after it; default none. Must be quick, and must not
   * throw.
   */
  onRunEnd?: (syncer: string, end: RunEnd) => void
  /** How long running keys may take to finish when the plugin stops, in milliseconds; default 10,000. */
  stopDeadlineMs?: number
}

/**
 * Options of `createPluginRuntime`: {@link PluginOptions}, and options that only the SDK's own entry points and tests
 * set.
 */
export interface PluginRuntimeOptions extends PluginOptions {
  /** Opens the clusters; default by the environment. */
  openSession?: OpenSession
  /** Serves health, metrics and the inspector by HTTP from `init` on; default nothing. */
  probes?: Probes
  /** The memory of the process, which limits the stores and which health and readiness report; default unlimited. */
  memory?: MemoryUsage
}

/** Options of `Plugin.init`. */
export interface InitOptions {
  /** The plugin's name, if the environment does not contain it (charts before 0.10.2, standalone). */
  name?: string
  /** How label keys are written on the host; default as the vcluster reports. */
  labelMode?: LabelMode
  /**
   * The number of shards over which the replicas of a standalone plugin distribute the virtual namespaces, 1 to 64;
   * default `PLUGIN_SHARDS`, else 1: one replica does all, the others stand by.
   */
  shards?: number
  /** How a standalone plugin waits while another leads; default `PLUGIN_STANDBY`, else `warm`: with full stores. */
  standby?: StandbyMode
  /**
   * The reaction at the start if the plugin lacks permissions: `fail` (default) ends the start with
   * `PluginError` `MISSING_PERMISSIONS`, which names the rules to add to each Role; `warn` logs that;
   * `ignore` does not check.
   */
  missingPermissions?: MissingPermissions
}
