import { isAlreadyExists, isConflict, isNotFound } from '../kube/error.js'
import type { Logger } from '../observe/logger.js'
import { ReminderPace } from '../observe/reminder-pace.js'
import type { Clock } from '../time/clock.js'
import { type CallLimits, limitedCall } from './limited-call.js'

/** Options of {@link LeaseCalls}. */
export interface LeaseCallsOptions {
  clock: Clock
  logger: Logger
  renewDeadlineMs: number
  /** Aborts when leadership is over. */
  stop: AbortSignal
}

/** A call about a Lease, within the given limits. */
export type LeaseCall<T = unknown> = (limits: CallLimits) => Promise<T>

/**
 * Makes calls about Leases, with a time limit for each, and remembers whether one of them failed. A failure that lasts
 * is logged at once and then rarely.
 */
export class LeaseCalls {
  readonly #options: LeaseCallsOptions
  readonly #pace: ReminderPace
  #failed = false

  constructor(options: LeaseCallsOptions) {
    this.#options = options
    this.#pace = new ReminderPace(options.clock)
  }

  /** Whether a call failed since {@link forgive}. */
  get failed(): boolean {
    return this.#failed
  }

  fail(): void {
    this.#failed = true
  }

  /** Called before each round of calls. */
  forgive(): void {
    if (!this.#failed) this.#pace.end()
    this.#failed = false
  }

  /** Makes a call; resolves with whether it succeeded. Losing a race to another replica is not logged. */
  async attempt(call: LeaseCall, failure: string): Promise<boolean> {
    const { logger, stop } = this.#options
    try {
      await this.limited(call, stop)
      return true
    } catch (error) {
      if (stop.aborted || isLostRace(error)) return false
      this.#failed = true
      const reason = String(error)
      logger[this.#pace.record(`${failure}: ${reason}`) ? 'warn' : 'debug']({ reason }, failure)
      return false
    }
  }

  /** Limits a call to half the renew deadline, so that a call that hangs leaves time for another. */
  limited<T>(call: LeaseCall<T>, stop?: AbortSignal): Promise<T> {
    const { clock, renewDeadlineMs } = this.#options
    return limitedCall({ clock, limitMs: renewDeadlineMs / 2, stop }, call)
  }
}

const isLostRace = (error: unknown) => isConflict(error) || isAlreadyExists(error) || isNotFound(error)
