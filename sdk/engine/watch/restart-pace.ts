import { backoffMs } from '../time/backoff.js'
import type { RestartReason } from './watch-metrics.js'

/** The minimum life of a good watch, in milliseconds: if such a watch ends, the next one begins at once. */
export const goodLifeMs = 1000
/** The life of a watch after which all failures before it are forgotten, in milliseconds. */
const healthyLifeMs = 30_000
const usualBackoff = { baseMs: 800, maxMs: 30_000, leastShare: 0.5 }
/**
 * The length of the first phase of an outage, in milliseconds. Retries are frequent in this phase, because a server is
 * usually back soon.
 */
const briefOutageMs = 10_000
const briefBackoff = { baseMs: 500, maxMs: 500, leastShare: 0.2 }

/** A watch that ended. */
export interface EndedWatch {
  reason: RestartReason
  /** How long the watch lived, in milliseconds; 0 if it was never accepted. */
  livedMs: number
  /** The present time, in milliseconds. */
  nowMs: number
}

/** When to start the next watch. */
export interface Restart {
  delayMs: number
  /** Whether this is one of the many retries at the start of an outage, which are not worth a warning each. */
  isRoutine: boolean
}

const immediateRestart: Restart = { delayMs: 0, isRoutine: true }

/**
 * Decides the pause before the next watch: none after a good watch, short at the start of an outage, then exponential
 * backoff. `ResourceWatch` asks it after each end.
 */
export class RestartPace {
  readonly #random: () => number
  #failures = 0
  #outageSinceMs = Number.NEGATIVE_INFINITY

  constructor(random: () => number) {
    this.#random = random
  }

  /** Whether the last watch failed, or an earlier failure is not forgotten yet. */
  get hasFailed(): boolean {
    return this.#failures > 0
  }

  /** When the next watch may begin. */
  after({ reason, livedMs, nowMs }: EndedWatch): Restart {
    if (livedMs >= healthyLifeMs) this.#failures = 0
    const isNormalEnd =
      reason === 'closed' || reason === 'expired' || reason === 'silent' || reason === 'full'
    if (isNormalEnd && livedMs > goodLifeMs) return immediateRestart
    if (reason === 'broken' && this.#isYoungOutage(livedMs, nowMs)) return this.#retryOften()
    return {
      delayMs: backoffMs(this.#failures++, { ...usualBackoff, random: this.#random }),
      isRoutine: false,
    }
  }

  /** Retries often. An outage counts as one failure, however many retries there are. */
  #retryOften(): Restart {
    const isRoutine = this.hasFailed
    this.#failures ||= 1
    return { delayMs: backoffMs(0, { ...briefBackoff, random: this.#random }), isRoutine }
  }

  /** Forgets all failures, so that the next pause is short again. */
  forgive(): void {
    this.#failures = 0
  }

  /** Whether an outage is in its first phase. It begins when a good watch breaks, and nothing has failed before it. */
  #isYoungOutage(livedMs: number, nowMs: number): boolean {
    if (livedMs > goodLifeMs && !this.hasFailed) this.#outageSinceMs = nowMs
    return nowMs - this.#outageSinceMs < briefOutageMs
  }
}
