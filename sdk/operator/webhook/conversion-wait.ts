import type { Logger } from '../../engine/observe/logger.js'
import { type Clock, sleep } from '../../engine/time/clock.js'

/** Options of {@link ConversionWait}. */
export interface ConversionWaitOptions {
  /** Whether every definition that exists has its conversion. */
  hasConversions: () => Promise<boolean>
  logger: Logger
  clock: Clock
}

/** The time between two reads of the definitions, in milliseconds. */
const readAgainMs = 500

/** The time that an API server may need to follow a changed definition, in milliseconds. */
export const conversionSettleMs = 1000

/**
 * Waits until the API server converts objects by the webhook. Before the leader of a first release has configured the
 * conversion, the API server only renames the version, and a write of a listed object would lose fields.
 */
export class ConversionWait {
  readonly #options: ConversionWaitOptions

  constructor(options: ConversionWaitOptions) {
    this.#options = options
  }

  /** Resolves when objects are converted; rejects with the reason of the signal. */
  async whenConverted(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options
    while (!(await this.#hasConversions())) await sleep(clock, readAgainMs, signal)
    await sleep(clock, conversionSettleMs, signal)
  }

  async #hasConversions(): Promise<boolean> {
    try {
      return await this.#options.hasConversions()
    } catch (error) {
      this.#options.logger.debug({ error }, 'reading the conversions of the definitions failed; trying again')
      return false
    }
  }
}
