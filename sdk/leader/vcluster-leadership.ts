import { type Logger, silentLogger } from '../observe/logger.js'
import { type Clock, systemClock } from '../time/clock.js'
import type { Leadership } from './leadership.js'
import { Tenure } from './tenure.js'

/** What a vcluster process says when it is asked whether it leads. */
export interface LeaderAnswer {
  leader: boolean
  /** Which run of the process says so. */
  runID: string
}

/** Options of {@link vclusterLeadership}. */
export interface VClusterLeadershipOptions {
  /** Asks the vcluster process once, and rejects if it does not answer in `timeoutMs` milliseconds. */
  isLeader(options: { timeoutMs: number; signal: AbortSignal }): Promise<LeaderAnswer>
  /** The run that the plugin got its context from. Default that of the first answer. */
  runID?: string | undefined
  /** Pause between questions while leading, in milliseconds. Default 5,000. */
  pollMs?: number
  /** Pause after a question that failed or found no leader, in milliseconds, reached from 100 by doubling. Default 500. */
  retryMs?: number
  /** How long a good answer holds, from the start of its question, in milliseconds. Default 15,000. */
  holdMs?: number
  /** Default the machine's clock. */
  clock?: Clock
  /** Hears of leadership won and lost. Default silent. */
  logger?: Logger
}

/**
 * Leads while the vcluster process does, asking it from now on until released. Lost when the process has
 * restarted, no longer leads, or has not answered for `holdMs`; a failed question alone loses nothing.
 *
 * See `IsLeader` in pkg/plugin/v1/plugin.go @ v0.36.1 of vcluster: a process that loses its leadership ends.
 */
export function vclusterLeadership(options: VClusterLeadershipOptions): Leadership {
  return new VClusterLeadership(options)
}

const firstRetryMs = 100

class VClusterLeadership implements Leadership {
  readonly #options: Required<Omit<VClusterLeadershipOptions, 'runID'>>
  readonly #tenure: Tenure
  readonly #stop = new AbortController()
  #runID: string | undefined
  #nextRetryMs = firstRetryMs
  #cancelPoll = () => {}

  constructor({ runID, ...options }: VClusterLeadershipOptions) {
    const defaults = { pollMs: 5000, retryMs: 500, holdMs: 15_000, clock: systemClock, logger: silentLogger }
    this.#options = { ...defaults, ...options }
    this.#runID = runID
    const { clock, logger, holdMs } = this.#options
    const expired = `the vcluster process has not answered for ${holdMs / 1000} s`
    this.#tenure = new Tenure({ clock, logger, expired })
    this.leader$.subscribe({ complete: () => this.#stopAsking() })
    void this.#poll()
  }

  get leader$() {
    return this.#tenure.leader$
  }

  deadline(): number {
    return this.#tenure.deadline()
  }

  async release(): Promise<void> {
    this.#tenure.giveUp()
    this.#stopAsking()
  }

  #stopAsking(): void {
    this.#cancelPoll()
    this.#stop.abort(new Error('leadership is over'))
  }

  async #poll(): Promise<void> {
    const askedAtMs = this.#options.clock.now()
    const answer = await this.#ask()
    if (answer !== undefined) this.#judge(answer, askedAtMs)
    if (this.#tenure.over) return
    const pauseMs = answer?.leader ? this.#options.pollMs : this.#retryPauseMs()
    this.#cancelPoll = this.#options.clock.schedule(pauseMs, () => void this.#poll())
  }

  async #ask(): Promise<LeaderAnswer | undefined> {
    const { isLeader, pollMs } = this.#options
    try {
      return await isLeader({ timeoutMs: pollMs, signal: this.#stop.signal })
    } catch (error) {
      this.#logFailure(error)
      return undefined
    }
  }

  #logFailure(error: unknown): void {
    if (this.#tenure.over) return
    const level = this.#tenure.leading ? 'warn' : 'debug'
    this.#options.logger[level](
      { reason: String(error) },
      'the vcluster process does not say whether it leads',
    )
  }

  #judge({ leader, runID }: LeaderAnswer, askedAtMs: number): void {
    this.#runID ??= runID
    if (runID !== this.#runID) {
      this.#tenure.lose('the vcluster process has restarted')
    } else if (leader) {
      this.#nextRetryMs = firstRetryMs
      this.#tenure.hold(askedAtMs + this.#options.holdMs)
    } else if (this.#tenure.leading) {
      this.#tenure.lose('the vcluster process no longer leads')
    }
  }

  #retryPauseMs(): number {
    const pauseMs = Math.min(this.#nextRetryMs, this.#options.retryMs)
    this.#nextRetryMs = pauseMs * 2
    return pauseMs
  }
}
