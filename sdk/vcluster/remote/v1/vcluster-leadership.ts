import type { Leadership } from '../../../engine/leader/leadership.js'
import { LeadershipTerm } from '../../../engine/leader/leadership-term.js'
import { type Logger, silentLogger } from '../../../engine/observe/logger.js'
import { type Clock, systemClock } from '../../../engine/time/clock.js'

/** The answer of a vcluster process to `IsLeader`. */
export interface LeaderAnswer {
  leader: boolean
  /** The run of the process that answered. */
  runID: string
}

/** Options of {@link vclusterLeadership}. */
export interface VClusterLeadershipOptions {
  /** Calls the vcluster process once; rejects if it does not answer in `timeoutMs` milliseconds. */
  isLeader(options: { timeoutMs: number; signal: AbortSignal }): Promise<LeaderAnswer>
  /** The run that sent the plugin its context. Default the run of the first answer. */
  runID?: string | undefined
  /** The time between calls while leading, in milliseconds. Default 5,000. */
  pollMs?: number
  /**
   * Longest pause after a call that failed or found no leader, in milliseconds; the pause starts at 100 and doubles.
   * Default 500.
   */
  retryMs?: number
  /** How long an answer is valid, from the start of its call, in milliseconds. Default 15,000. */
  holdMs?: number
  /** Default the machine's clock. */
  clock?: Clock
  /** Logs when leadership is won and lost. Default silent. */
  logger?: Logger
}

/**
 * Leads while the vcluster process leads. It polls the process until released. Leadership is lost when the process has
 * restarted, no longer leads, or has not answered for `holdMs`; one failed call loses nothing.
 *
 * See `IsLeader` in pkg/plugin/v1/plugin.go @ v0.36.1 of vcluster: a process that loses its leadership exits.
 */
export function vclusterLeadership(options: VClusterLeadershipOptions): Leadership {
  return new VClusterLeadership(options)
}

const firstRetryMs = 100

class VClusterLeadership implements Leadership {
  readonly #options: Required<Omit<VClusterLeadershipOptions, 'runID'>>
  readonly #term: LeadershipTerm
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
    this.#term = new LeadershipTerm({ clock, logger, expired })
    this.leader$.subscribe({ complete: () => this.#stopAsking() })
    void this.#poll()
  }

  get leader$() {
    return this.#term.leader$
  }

  deadline(): number {
    return this.#term.deadline()
  }

  async release(): Promise<void> {
    this.#term.giveUp()
    this.#stopAsking()
  }

  #stopAsking(): void {
    this.#cancelPoll()
    this.#stop.abort(new Error('leadership is over'))
  }

  async #poll(): Promise<void> {
    const askedAtMs = this.#options.clock.now()
    const answer = await this.#ask()
    if (answer !== undefined) this.#handleAnswer(answer, askedAtMs)
    if (this.#term.over) return
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
    if (this.#term.over) return
    const level = this.#term.leading ? 'warn' : 'debug'
    this.#options.logger[level](
      { reason: String(error) },
      'the vcluster process does not say whether it leads',
    )
  }

  #handleAnswer({ leader, runID }: LeaderAnswer, askedAtMs: number): void {
    this.#runID ??= runID
    if (runID !== this.#runID) {
      this.#term.lose('the vcluster process has restarted')
    } else if (leader) {
      this.#nextRetryMs = firstRetryMs
      this.#term.hold(askedAtMs + this.#options.holdMs)
    } else if (this.#term.leading) {
      this.#term.lose('the vcluster process no longer leads')
    }
  }

  #retryPauseMs(): number {
    const pauseMs = Math.min(this.#nextRetryMs, this.#options.retryMs)
    this.#nextRetryMs = pauseMs * 2
    return pauseMs
  }
}
