import type { ClusterRuntime } from '../cluster/cluster-runtime.js'
import type { HealthCheck } from '../health/health.js'
import type { Logger } from '../observe/logger.js'
import type { Metrics } from '../observe/metrics.js'
import { fillStores } from './start-order.js'
import type { Unit } from './unit.js'

/** Options of {@link Standby}. */
export interface StandbyOptions {
  units: readonly Unit[]
  clusters: readonly ClusterRuntime[]
  logger: Logger
  /** Whether the stores are filled while the process waits, so that taking over needs no list. */
  isWarm: boolean
  /** Resolves when a standby that is not warm may fill its stores; without this option it never fills them. */
  becomesWarm?: ((signal: AbortSignal) => Promise<void>) | undefined
  /** Ends the waiting. */
  signal: AbortSignal
}

/**
 * A process that waits for leadership; a warm standby fills its stores while it waits, so that taking over needs no
 * list.
 */
export class Standby {
  /** Resolves when the process could take over at once, or when the signal aborts. A cold standby is ready at once. */
  readonly whenReady: Promise<void>
  #isReady: boolean

  constructor(options: StandbyOptions) {
    this.#isReady = !options.isWarm
    this.whenReady = this.#isReady ? Promise.resolve() : this.#warmUp(options)
    if (this.#isReady && options.becomesWarm) void this.#warmUp(options)
  }

  /** The check of `/readyz` while the process waits. */
  readonly check: HealthCheck = {
    name: 'standby',
    wrong: () => (this.#isReady ? undefined : 'the stores are being filled'),
  }

  async #warmUp({ units, clusters, logger, isWarm, becomesWarm, signal }: StandbyOptions): Promise<void> {
    try {
      if (!isWarm) await becomesWarm?.(signal)
      await fillStores(units, clusters, signal)
      this.#isReady = true
      logger.debug({}, 'the stores are full')
    } catch (error) {
      if (!signal.aborted) logger.warn({ error }, 'filling the stores while standing by failed')
    }
  }
}

/** Reports by a metric whether this process is on standby. */
export function followStandby(metrics: Metrics, standsBy: () => boolean): void {
  metrics.gauge({
    name: 'leader_election_standby',
    help: 'Whether this process waits for another to give up leadership, 1 or 0.',
    follow: (gauge) => gauge.set({}, standsBy() ? 1 : 0),
  })
}
