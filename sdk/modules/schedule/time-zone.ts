import type { LocalMs } from './calendar.js'
import { ScheduleProblem } from './schedule-error.js'

/** No clock is put forward or back by more. */
const longestChangeMs = 26 * 3_600_000

/** The clocks of one IANA time zone, with all changes of them. Instants are milliseconds since 1970. */
export class TimeZone {
  readonly name: string
  readonly #format: Intl.DateTimeFormat | undefined

  /** Throws a {@link ScheduleProblem} for a name that is not an IANA time zone. */
  constructor(name: string) {
    this.name = name
    this.#format = name === 'UTC' ? undefined : formatOf(name)
  }

  /** The latest local time that the clocks have shown up to `instant`; they show some times twice. */
  latestLocal(instant: number): LocalMs {
    const now = instant + this.#offsetMs(instant)
    const change = this.#changeBetween(instant - longestChangeMs, instant)
    return change ? Math.max(now, change.at + change.beforeMs - 1) : now
  }

  /** The first instant at which the clocks show `local`, or a later time if they skip it. */
  instantOf(local: LocalMs): number {
    const change = this.#changeBetween(local - longestChangeMs, local + longestChangeMs)
    if (!change) return local - this.#offsetMs(local)
    if (local < change.at + change.beforeMs) return local - change.beforeMs
    return Math.max(change.at, local - change.afterMs)
  }

  /** The change of the offset from UTC in a span that has at most one, to the millisecond. */
  #changeBetween(from: number, to: number): { at: number; beforeMs: number; afterMs: number } | undefined {
    const beforeMs = this.#offsetMs(from)
    const afterMs = this.#offsetMs(to)
    if (beforeMs === afterMs) return undefined
    let [before, after] = [from, to]
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2)
      if (this.#offsetMs(middle) === beforeMs) before = middle
      else after = middle
    }
    return { at: after, beforeMs, afterMs }
  }

  #offsetMs(instant: number): number {
    if (!this.#format) return 0
    const fields: Record<string, number> = {}
    for (const { type, value } of this.#format.formatToParts(instant)) fields[type] = Number(value)
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = fields
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(instant / 1000) * 1000
  }
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const number = 'numeric'
  try {
    // An offset such as +01:00 is a time zone for the runtime, but no IANA one: it has no clock changes.
    if (!/^[A-Za-z]/.test(timeZone)) throw new RangeError('no name')
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: number,
      month: number,
      day: number,
      hour: number,
      minute: number,
      second: number,
    })
  } catch {
    throw new ScheduleProblem(
      `time zone ${JSON.stringify(timeZone)} is not an IANA name such as "Europe/Berlin"`,
    )
  }
}
