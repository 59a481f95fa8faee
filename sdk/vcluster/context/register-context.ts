import type { ZodType } from 'zod'
import type { Cluster } from '../../engine/cluster/cluster.js'
import type { OwnerReference } from '../../engine/kube/object.js'
import type { Logger } from '../../engine/observe/logger.js'
import type { Metrics } from '../../engine/observe/metrics.js'
import type { Clock } from '../../engine/time/clock.js'

/** The name of one of the two clusters. */
export type Side = 'virtual' | 'host'

/**
 * How label keys are written on the host: `hashed` rewrites every key (vcluster up to 0.20), `reserved` only
 * the keys vcluster itself uses (from 0.21).
 */
export type LabelMode = 'hashed' | 'reserved'

/**
 * The plugin's facts and clusters before it runs: passed to the constructors of syncers and to their start-up
 * methods.
 */
export interface RegisterContext {
  /** The plugin's name, as the vcluster knows it. */
  readonly pluginName: string
  /** The vcluster's name: part of every host name and label. */
  readonly vclusterName: string
  /** The host namespace that copies are written to. */
  readonly targetNamespace: string
  /** The host namespace the vcluster itself runs in. */
  readonly currentNamespace: string
  readonly labelMode: LabelMode
  readonly virtual: Cluster<'virtual'>
  readonly host: Cluster<'host'>
  /**
   * The plugin's configuration, from the vcluster's values (`plugins.<name>.config`, `PLUGIN_CONFIG` in the
   * environment), checked by a zod schema; `{}` if there is none. vcluster does not send it to a sidecar: set the
   * variable there. Throws `PluginError` with code `INVALID_CONFIG` that names each member that does not match the
   * schema.
   */
  config<T>(schema: ZodType<T>): T
  /**
   * Owner of new copies: the vcluster's Service, once the plugin leads and if that Service exists. Throws while a
   * Service that existed before is missing. Do not catch that error: the key then waits until the Service is back.
   */
  owner(): OwnerReference | undefined
  readonly logger: Logger
  readonly metrics: Metrics
  readonly clock: Clock
}
