import { type Observable, ReplaySubject } from 'rxjs'
import type { Logger } from '../observe/logger.js'
import type { Clock } from '../time/clock.js'

/** Options of {@link LeadershipTerm}. */
export interface LeadershipTermOptions {
  /** Deadlines are times of this clock. */
  clock: Clock
  /** Logs when leadership is won and lost. */
  logger: Logger
  /** The reason for a passed deadline, as the end of the sentence "leadership lost: …". */
  expired: string
}

/**
 * One term of leadership. It is won at most once, is extended by {@link hold} with a later deadline, and is lost for
 * good when a deadline passes or {@link lose} is called.
 */
export class LeadershipTerm {
  readonly #leading$ = new ReplaySubject<boolean>(1)
  readonly #clock: Clock
  readonly #logger: Logger
  readonly #expired: string
  #state: 'waiting' | 'leading' | 'over' = 'waiting'
  #deadline = Number.NEGATIVE_INFINITY
  #cancelExpiry = () => {}

  constructor({ clock, logger, expired }: LeadershipTermOptions) {
    this.#clock = clock
    this.#logger = logger
    this.#expired = expired
  }

  /**
   * Emits `true` when won and `false` when lost, then completes; replays its last value. {@link giveUp} emits nothing.
   */
  get leader$(): Observable<boolean> {
    return this.#leading$.asObservable()
  }

  /** Whether this process leads now. */
  get leading(): boolean {
    return this.#state === 'leading'
  }

  /** Whether the term was lost or given up. */
  get over(): boolean {
    return this.#state === 'over'
  }

  /** The time at which the term ends unless it is extended; `-Infinity` while not leading. */
  deadline(): number {
    return this.#deadline
  }

  /** Extends the term to `deadlineMs`, and wins it first if necessary. A deadline in the past has no effect. */
  hold(deadlineMs: number): void {
    if (this.over || this.expireIfDue() || deadlineMs <= this.#clock.now()) return
    this.#deadline = deadlineMs
    this.#awaitDeadline()
    if (this.leading) return
    this.#state = 'leading'
    this.#logger.info({}, 'leadership won')
    this.#leading$.next(true)
  }

  /**
   * Ends the term if its deadline has passed, and returns whether it did. In a process that was suspended, other timers
   * may fire before the one that ends the term, so a caller asks before it writes.
   */
  expireIfDue(): boolean {
    if (!this.leading || this.#clock.now() < this.#deadline) return false
    this.lose(this.#expired)
    return true
  }

  /**
   * Ends the term for a reason, which completes the sentence "leadership lost: …". A term that was not won can then
   * never be won.
   */
  lose(reason: string): void {
    if (this.over) return
    this.giveUp()
    this.#logger.error({ reason }, `leadership lost: ${reason}`)
    this.#leading$.next(false)
    this.#leading$.complete()
  }

  /** Ends the term at once; logs and emits nothing. */
  giveUp(): void {
    this.#state = 'over'
    this.#deadline = Number.NEGATIVE_INFINITY
    this.#cancelExpiry()
  }

  /** A timer may fire a fraction of a millisecond early; then it waits for the rest. */
  #awaitDeadline(): void {
    this.#cancelExpiry()
    const restMs = Math.ceil(this.#deadline - this.#clock.now())
    this.#cancelExpiry = this.#clock.schedule(restMs, () => {
      if (!this.expireIfDue()) this.#awaitDeadline()
    })
  }
}
