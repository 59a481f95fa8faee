import { type Observable, ReplaySubject } from 'rxjs'
import type { Logger } from '../observe/logger.js'
import type { Clock } from '../time/clock.js'

/** What a {@link Tenure} needs. */
export interface TenureOptions {
  /** The clock that deadlines belong to. */
  clock: Clock
  /** Hears of leadership won and lost. */
  logger: Logger
  /** What a passed deadline means, as the end of the sentence "leadership lost: …". */
  expired: string
}

/**
 * One spell of leadership: won at most once, held by ever later deadlines, and lost for good when a deadline
 * passes or someone says so. What decides that is told to it by {@link hold} and {@link lose}.
 */
export class Tenure {
  readonly #leading$ = new ReplaySubject<boolean>(1)
  readonly #clock: Clock
  readonly #logger: Logger
  readonly #expired: string
  #state: 'waiting' | 'leading' | 'over' = 'waiting'
  #deadline = Number.NEGATIVE_INFINITY
  #cancelExpiry = () => {}

  constructor({ clock, logger, expired }: TenureOptions) {
    this.#clock = clock
    this.#logger = logger
    this.#expired = expired
  }

  /** `true` once won, `false` once lost, then the end; replays its last value. Giving up is not losing: it says nothing. */
  get leader$(): Observable<boolean> {
    return this.#leading$.asObservable()
  }

  /** Whether it is held at present. */
  get leading(): boolean {
    return this.#state === 'leading'
  }

  /** Whether it has been lost or given up. */
  get over(): boolean {
    return this.#state === 'over'
  }

  /** When it ends unless held longer, by the clock; `-Infinity` while not leading. */
  deadline(): number {
    return this.#deadline
  }

  /** Holds it until `deadlineMs`, winning it first if need be. A deadline in the past wins nothing and holds nothing. */
  hold(deadlineMs: number): void {
    if (this.over || this.#expireIfDue() || deadlineMs <= this.#clock.now()) return
    this.#deadline = deadlineMs
    this.#awaitDeadline()
    if (this.leading) return
    this.#state = 'leading'
    this.#logger.info({}, 'leadership won')
    this.#leading$.next(true)
  }

  /** Loses it, for a reason that ends the sentence "leadership lost: …"; before it was won that means never winning it. */
  lose(reason: string): void {
    if (this.over) return
    this.giveUp()
    this.#logger.error({ reason }, `leadership lost: ${reason}`)
    this.#leading$.next(false)
    this.#leading$.complete()
  }

  /** Ends it at once, without a word. */
  giveUp(): void {
    this.#state = 'over'
    this.#deadline = Number.NEGATIVE_INFINITY
    this.#cancelExpiry()
  }

  /** A timer may also be early, by a part of a millisecond: then it waits for the rest. */
  #awaitDeadline(): void {
    this.#cancelExpiry()
    const restMs = Math.ceil(this.#deadline - this.#clock.now())
    this.#cancelExpiry = this.#clock.schedule(restMs, () => {
      if (!this.#expireIfDue()) this.#awaitDeadline()
    })
  }

  /** A timer may be late, after the process stood still: then whoever comes first finds the deadline passed. */
  #expireIfDue(): boolean {
    if (!this.leading || this.#clock.now() < this.#deadline) return false
    this.lose(this.#expired)
    return true
  }
}
