import type { HealthCheck } from '../../engine/health/health.js'
import type { ProbedProgram, Probes } from '../../engine/health/probes.js'
import type { Inspector } from '../../engine/inspector/inspector.js'
import type { Recorder } from '../../engine/inspector/recorder.js'
import { describes } from '../../engine/manager/describes.js'
import type { Logger } from '../../engine/observe/logger.js'
import type { Clock } from '../../engine/time/clock.js'
import type { Transport } from '../../engine/transport/transport.js'
import type { InspectedParts } from './inspection/plugin-inspector.js'

/** Options of {@link PluginInspection}. */
export interface PluginInspectionOptions {
  /** Serves health and metrics; without it nothing is served. */
  probes: Probes | undefined
  env: Readonly<Record<string, string | undefined>>
  logger: Logger
  clock: Clock
  /** The parts that the inspector shows; `undefined` before both clusters are known. */
  parts: () => InspectedParts | undefined
  /** The checks of `/healthz`, in addition to the delay of the event loop. */
  live: () => readonly HealthCheck[]
  /** The checks of `/readyz`. */
  ready: () => readonly HealthCheck[]
}

/** Serves the health, metrics and inspector of a plugin by HTTP, from `init` until its end. */
export class PluginInspection {
  readonly #options: PluginInspectionOptions
  readonly #probed: ProbedProgram
  #inspector: Inspector | undefined
  #isServed = false

  constructor(options: PluginInspectionOptions) {
    const { env, logger, clock } = options
    this.#options = options
    this.#probed = { name: env.VCLUSTER_PLUGIN_NAME || 'plugin', logger, clock }
  }

  /** Records what the plugin does; `undefined` before {@link serve}, and if the inspector is off. */
  get recorder(): Recorder | undefined {
    return this.#inspector?.recorder
  }

  /** Begins to serve, once. Rejects if the server cannot listen on the address. */
  async serve(): Promise<void> {
    const { probes, env, live, ready } = this.#options
    if (!probes || this.#isServed || describes(env)) return
    this.#inspector = await this.#openInspector()
    await probes.serve({ live, ready, pages: this.#inspector }, this.#probed)
    this.#isServed = true
  }

  /** Serves the metrics by HTTPS to the users whom this cluster allows to read them. */
  async admitReaders(cluster: Transport): Promise<void> {
    await this.#options.probes?.admitReaders(cluster, this.#probed)
  }

  /** Loads the inspector, if it is on. */
  async #openInspector(): Promise<Inspector | undefined> {
    const { probes, env, clock, parts } = this.#options
    if (!probes?.metrics || env.VCLUSTER_PLUGIN_INSPECT !== '1') return undefined
    const { pluginInspector } = await import('./inspection/plugin-inspector.js')
    return pluginInspector({ clock, parts, metrics: probes.metrics })
  }

  async close(): Promise<void> {
    await this.#options.probes?.close()
  }
}
