import type { Check } from '../health/health.js'
import type { Metrics } from '../observe/metrics.js'
import { fillStores } from '../plugin/start-order.js'
import type { House } from '../plugin/wire.js'
import type { Registrant } from '../syncer/registrant.js'

/** A process that waits for leadership; a warm one fills its stores meanwhile, so that taking over costs no list. */
export class Standby {
  /** Whether it could take over at once. */
  #isReady: boolean

  /** Resolves when it is so, or when the signal aborts; a cold one need not be. */
  readonly whenReady: Promise<void>

  /** Begins to wait, until the signal aborts. */
  constructor(registrants: Iterable<Registrant>, house: House, signal: AbortSignal) {
    this.#isReady = !house.session.isWarm
    this.whenReady = this.#isReady ? Promise.resolve() : this.#warmUp(registrants, house, signal)
  }

  /** What `/readyz` says meanwhile. */
  readonly check: Check = {
    name: 'standby',
    wrong: () => (this.#isReady ? undefined : 'the stores are being filled'),
  }

  async #warmUp(registrants: Iterable<Registrant>, house: House, signal: AbortSignal): Promise<void> {
    const { logger } = house.ctx
    try {
      await fillStores(registrants, house, signal)
      this.#isReady = true
      logger.debug({}, 'the stores are full')
    } catch (error) {
      if (!signal.aborted) logger.warn({ error }, 'filling the stores while standing by failed')
    }
  }
}

/** Tells by a metric whether this process stands by. */
export function followStandby(metrics: Metrics, standsBy: () => boolean): void {
  metrics.gauge({
    name: 'vcluster_plugin_standby',
    help: 'Whether this process waits for another to give up leadership, 1 or 0.',
    follow: (gauge) => gauge.set({}, standsBy() ? 1 : 0),
  })
}
