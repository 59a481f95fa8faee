import type { Check } from '../../engine/health/health.js'
import { loopCheck } from '../../engine/health/loop-check.js'
import { type Inspection, serveInspection } from '../../engine/health/serve.js'
import type { Inspector } from '../../engine/inspector/inspector.js'
import type { Recorder } from '../../engine/inspector/recorder.js'
import type { Logger } from '../../engine/observe/logger.js'
import type { Clock } from '../../engine/time/clock.js'
import type { InspectedParts } from './inspection/plugin-inspector.js'
import type { PluginInspectOptions } from './plugin-options.js'

/** The data that a {@link PluginInspection} shows. */
export interface PluginInspectionSources {
  logger: Logger
  clock: Clock
  /** The parts that the inspector shows; `undefined` before both clusters are known. */
  parts: () => InspectedParts | undefined
  /** The checks of `/healthz`, in addition to the delay of the event loop. */
  live: () => readonly Check[]
  /** The checks of `/readyz`. */
  ready: () => readonly Check[]
}

/** Serves the inspector of a plugin by HTTP, from `init` until its end; serves nothing without options. */
export class PluginInspection {
  readonly #options: PluginInspectOptions | undefined
  readonly #sources: PluginInspectionSources
  #served: Inspection | undefined
  #inspector: Inspector | undefined

  constructor(options: PluginInspectOptions | undefined, sources: PluginInspectionSources) {
    this.#options = options
    this.#sources = sources
  }

  /** Records what the plugin does; `undefined` before {@link serve}, and if the inspector is off. */
  get recorder(): Recorder | undefined {
    return this.#inspector?.recorder
  }

  /** Begins to serve, once. Rejects where the address cannot be listened on. */
  async serve(): Promise<void> {
    if (!this.#options || this.#served) return
    const { address, metrics } = this.#options
    const { logger, live, ready } = this.#sources
    this.#inspector = await this.#openInspector()
    const loop = loopCheck()
    this.#served = await serveInspection({
      address,
      metrics,
      ...(this.#inspector && { pages: this.#inspector }),
      live: () => [loop, ...live()],
      ready: () => [...ready()],
    })
    const { url } = this.#served
    logger.info({ url }, 'health and metrics are served')
    if (this.#inspector) logger.info({ url: url + this.#inspector.path }, 'the inspector is served')
  }

  /** Loads the inspector, if it is on. */
  async #openInspector(): Promise<Inspector | undefined> {
    if (!this.#options?.inspector) return undefined
    const { pluginInspector } = await import('./inspection/plugin-inspector.js')
    const { clock, parts } = this.#sources
    return pluginInspector({ clock, parts, metrics: this.#options.metrics })
  }

  async close(): Promise<void> {
    await this.#served?.close()
  }
}
