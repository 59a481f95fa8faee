import type { Clock } from '../time/clock.js'

/** The pause between the first two lines about a problem, in milliseconds. Each further pause is twice as long. */
const firstPauseMs = 60_000
/** The longest pause, in milliseconds. */
const maxPauseMs = 16 * 60_000

/**
 * Decides when a problem that lasts is worth a line of the log: at once, again after a minute, and then after pauses
 * that double, up to 16 minutes. Another problem is worth a line at once.
 */
export class ReminderPace {
  readonly #clock: Clock
  /** The problems that were reported since the last {@link end}. */
  readonly #known = new Set<string>()
  #pauseMs = firstPauseMs
  #dueMs = Number.NEGATIVE_INFINITY
  #sinceMs: number | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** For how long the problem has lasted, in whole seconds; `undefined` without a problem. */
  get lastsSeconds(): number | undefined {
    return this.#sinceMs === undefined ? undefined : Math.round((this.#clock.now() - this.#sinceMs) / 1000)
  }

  /** Records that the problem occurs; returns whether it is worth a line now. */
  record(problem: string): boolean {
    const nowMs = this.#clock.now()
    this.#sinceMs ??= nowMs
    const isReminder = nowMs >= this.#dueMs
    if (!isReminder && this.#known.has(problem)) return false
    if (isReminder && this.#known.size > 0) this.#pauseMs = Math.min(2 * this.#pauseMs, maxPauseMs)
    if (isReminder) this.#dueMs = nowMs + this.#pauseMs
    this.#known.add(problem)
    return true
  }

  /** Records that the problem is over. The next one is reported at once. */
  end(): void {
    this.#known.clear()
    this.#pauseMs = firstPauseMs
    this.#dueMs = Number.NEGATIVE_INFINITY
    this.#sinceMs = undefined
  }
}
