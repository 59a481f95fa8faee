import type { Logger } from '../observe/logger.js'
import type { Check } from './health.js'
import { loopCheck } from './loop-check.js'
import { createPrometheusMetrics, type PrometheusMetrics } from './prometheus-metrics.js'
import { type Inspection, serveInspection } from './serve.js'

/** Loopback on a free port. */
const defaultAddress = '127.0.0.1:0'

/** The checks of the probes of a program. */
export interface ProbeChecks {
  live: () => readonly Check[]
  ready: () => readonly Check[]
}

/**
 * The probes and metrics of a process: `/livez`, `/readyz` and `/metrics` at `METRICS_ADDRESS`, by default on loopback at a
 * free port; `0` serves nothing, as with controller-runtime.
 */
export class Probes {
  /** The metrics that are served; undefined if nothing is. */
  readonly metrics: PrometheusMetrics | undefined
  readonly #address: string
  #served: Inspection | undefined

  constructor(env: Readonly<Record<string, string | undefined>>) {
    this.#address = env.METRICS_ADDRESS || defaultAddress
    this.metrics = this.#address === '0' ? undefined : createPrometheusMetrics()
  }

  /** Starts to listen. Throws `PluginError` `INVALID_ADDRESS` or `CANNOT_LISTEN`. */
  async serve({ live, ready }: ProbeChecks, logger: Logger): Promise<void> {
    if (!this.metrics) return
    const loop = loopCheck()
    this.#served = await serveInspection({
      address: this.#address,
      metrics: this.metrics,
      live: () => [loop, ...live()],
      ready,
    })
    logger.info({ url: this.#served.url }, 'health and metrics are served')
  }

  async close(): Promise<void> {
    await this.#served?.close()
  }
}
