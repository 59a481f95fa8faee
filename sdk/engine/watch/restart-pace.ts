import { backoffMs } from '../time/backoff.js'
import type { RestartReason } from './watch-metrics.js'

/** A watch that lived this long was a good one: if it ends, the next begins at once. */
export const goodLifeMs = 1000
/** A watch that lived this long makes up for all failures before it. */
const healthyLifeMs = 30_000
const usualBackoff = { baseMs: 800, maxMs: 30_000, leastShare: 0.5 }
/** A server whose watch broke is most often back in a moment, and is asked often for so long. */
const briefOutageMs = 10_000
const briefBackoff = { baseMs: 500, maxMs: 500, leastShare: 0.2 }

/** A watch that ended. */
export interface EndedWatch {
  reason: RestartReason
  /** How long it lived, in milliseconds; 0 for one that was never accepted. */
  livedMs: number
  /** The moment of now. */
  nowMs: number
}

/** How to go on after it. */
export interface Restart {
  delayMs: number
  /** One of the many tries of a young outage, which are not worth a warning each. */
  isRoutine: boolean
}

const atOnce: Restart = { delayMs: 0, isRoutine: true }

/**
 * Decides the pause before the next watch: none after a good one, short at the start of an outage, then exponential
 * backoff.
 */
export class RestartPace {
  readonly #random: () => number
  #failures = 0
  #outageSinceMs = Number.NEGATIVE_INFINITY

  constructor(random: () => number) {
    this.#random = random
  }

  /** Whether the last watch failed, or the one before it as long as nothing made up for that. */
  get hasFailed(): boolean {
    return this.#failures > 0
  }

  /** When the next watch may begin. */
  after({ reason, livedMs, nowMs }: EndedWatch): Restart {
    if (livedMs >= healthyLifeMs) this.#failures = 0
    const isWelcome = reason === 'closed' || reason === 'expired' || reason === 'silent' || reason === 'full'
    if (isWelcome && livedMs > goodLifeMs) return atOnce
    if (reason === 'broken' && this.#isYoungOutage(livedMs, nowMs)) return this.#askOften()
    return {
      delayMs: backoffMs(this.#failures++, { ...usualBackoff, random: this.#random }),
      isRoutine: false,
    }
  }

  /** An outage is one failure, however often it was asked whether it is over. */
  #askOften(): Restart {
    const isRoutine = this.hasFailed
    this.#failures ||= 1
    return { delayMs: backoffMs(0, { ...briefBackoff, random: this.#random }), isRoutine }
  }

  /** Nothing speaks against the next try any more. */
  forgive(): void {
    this.#failures = 0
  }

  /** An outage begins with a good watch that broke, as long as nothing failed before it. */
  #isYoungOutage(livedMs: number, nowMs: number): boolean {
    if (livedMs > goodLifeMs && !this.hasFailed) this.#outageSinceMs = nowMs
    return nowMs - this.#outageSinceMs < briefOutageMs
  }
}
