import type { Logger } from '../observe/logger.js'
import type { Clock } from '../time/clock.js'
import type { Transport } from '../transport/transport.js'
import type { HealthCheck } from './health.js'
import { listenAddress } from './listen-address.js'
import { loopCheck } from './loop-check.js'
import type { Pages } from './pages.js'
import { createPrometheusMetrics, type PrometheusMetrics } from './prometheus-metrics.js'
import type { SecureMetrics } from './secure/secure-metrics.js'
import { type Inspection, serveInspection } from './serve.js'

/** Loopback on a free port. */
const defaultAddress = '127.0.0.1:0'

/** The checks of the probes of a program. */
export interface ProbeChecks {
  live: () => readonly HealthCheck[]
  ready: () => readonly HealthCheck[]
  /** Pages that are served in addition. */
  pages?: Pages | undefined
}

/** The program whose probes and metrics are served. */
export interface ProbedProgram {
  name: string
  logger: Logger
  clock: Clock
}

/**
 * The probes and metrics of a process: `/livez`, `/readyz` and `/metrics` at `METRICS_ADDRESS`, by default on loopback
 * at a free port; `0` serves nothing, as with controller-runtime. With `SECURE_METRICS_ADDRESS`, that address serves
 * `/metrics` by HTTPS to clients that may read the metrics, and the other address serves `/metrics` on loopback only.
 */
export class Probes {
  /** The metrics that are served; undefined if nothing is. */
  readonly metrics: PrometheusMetrics | undefined
  readonly #address: string
  readonly #env: Readonly<Record<string, string | undefined>>
  #served: Inspection | undefined
  #secure: SecureMetrics | undefined

  constructor(env: Readonly<Record<string, string | undefined>>) {
    this.#env = env
    this.#address = env.METRICS_ADDRESS || defaultAddress
    this.metrics = this.#address === '0' ? undefined : createPrometheusMetrics()
  }

  /** Starts to listen. Throws `PluginError` `INVALID_ADDRESS` or `CANNOT_LISTEN`. */
  async serve({ live, ready, pages }: ProbeChecks, program: ProbedProgram): Promise<void> {
    if (!this.metrics) return
    await this.#serveSecurely(this.metrics, program)
    const loop = loopCheck()
    this.#served = await serveInspection({
      address: this.#address,
      metrics: this.metrics,
      ...(pages && { pages }),
      live: () => [loop, ...live()],
      ready,
      isSecure: this.#secure !== undefined,
    })
    const { url } = this.#served
    program.logger.info({ url }, 'health and metrics are served')
    if (pages) program.logger.info({ url: url + pages.path }, 'the inspector is served')
  }

  /** Serves the metrics by HTTPS to the users whom this cluster's API server allows to `get` `/metrics`. */
  async admitReaders(transport: Pick<Transport, 'request'>, { clock }: ProbedProgram): Promise<void> {
    if (!this.#secure) return
    const { MetricsReaders } = await import('./secure/metrics-readers.js')
    this.#secure.attach(new MetricsReaders({ transport, clock }))
  }

  async #serveSecurely(metrics: PrometheusMetrics, { name, logger, clock }: ProbedProgram): Promise<void> {
    const { SECURE_METRICS_ADDRESS: address, METRICS_CERTIFICATE_FOLDER: folder } = this.#env
    if (!address || address === '0') return
    const { SecureMetrics } = await import('./secure/secure-metrics.js')
    this.#secure = new SecureMetrics({
      ...listenAddress('SECURE_METRICS_ADDRESS', address, { canBeOff: true }),
      name,
      metrics,
      logger,
      clock,
      folder,
    })
    await this.#secure.listen()
  }

  async close(): Promise<void> {
    await this.#secure?.close()
    await this.#served?.close()
  }
}
