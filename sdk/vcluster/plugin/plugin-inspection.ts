import type { Check } from '../../engine/health/health.js'
import { loopCheck } from '../../engine/health/loop-check.js'
import { type Inspection, serveInspection } from '../../engine/health/serve.js'
import type { Inspected } from '../../engine/inspector/inspected.js'
import { Inspector } from '../../engine/inspector/inspector.js'
import { inspectorPath } from '../../engine/inspector/model.js'
import type { Logger } from '../../engine/observe/logger.js'
import type { Clock } from '../../engine/time/clock.js'
import type { PluginInspectOptions } from './plugin-options.js'

/** The data that a {@link PluginInspection} shows. */
export interface PluginInspectionSources {
  logger: Logger
  clock: Clock
  /** The inspector's view of the plugin; `undefined` before both clusters are known. */
  inspected: () => Inspected | undefined
  /** The checks of `/healthz`, in addition to the delay of the event loop. */
  live: () => readonly Check[]
  /** The checks of `/readyz`. */
  ready: () => readonly Check[]
}

/** Serves the inspector of a plugin by HTTP, from `init` until its end; serves nothing without options. */
export class PluginInspection {
  /** Records what the plugin does; `undefined` if the inspector is off. */
  readonly inspector: Inspector | undefined
  readonly #options: PluginInspectOptions | undefined
  readonly #sources: PluginInspectionSources
  #served: Inspection | undefined

  constructor(options: PluginInspectOptions | undefined, sources: PluginInspectionSources) {
    this.#options = options
    this.#sources = sources
    const { clock, inspected } = sources
    if (options?.inspector) this.inspector = new Inspector({ clock, metrics: options.metrics, inspected })
  }

  /** Begins to serve, once. Rejects where the address cannot be listened on. */
  async serve(): Promise<void> {
    if (!this.#options || this.#served) return
    const { address, metrics } = this.#options
    const { logger, live, ready } = this.#sources
    const loop = loopCheck()
    this.#served = await serveInspection({
      address,
      metrics,
      ...(this.inspector && { pages: this.inspector }),
      live: () => [loop, ...live()],
      ready: () => [...ready()],
    })
    const { url } = this.#served
    logger.info({ url }, 'health and metrics are served')
    if (this.inspector) logger.info({ url: url + inspectorPath }, 'the inspector is served')
  }

  async close(): Promise<void> {
    await this.#served?.close()
  }
}
