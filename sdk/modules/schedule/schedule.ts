import { Cron } from 'croner'
import { parseGoDuration } from '../../helm/values/go-duration.js'
import { cronFields, type FieldValues, readField } from './cron-field.js'
import { ScheduleError, ScheduleProblem } from './schedule-error.js'
import { checkTimeZone } from './time-zone.js'

/** The points in time at which something comes due. */
export interface Schedule {
  /** The text without a `CRON_TZ=` prefix, and the time zone: equal for schedules that come due at the same times. */
  readonly canonical: string
  /** The first time after `instant`. */
  next(instant: Date): Date
  /** The last time at `instant` or before it. */
  latest(instant: Date): Date
}

const shortcuts: Readonly<Record<string, string>> = {
  '@yearly': '0 0 0 1 1 *',
  '@annually': '0 0 0 1 1 *',
  '@monthly': '0 0 0 1 * *',
  '@weekly': '0 0 0 * * 0',
  '@daily': '0 0 0 * * *',
  '@midnight': '0 0 0 * * *',
  '@hourly': '0 0 * * * *',
}

/**
 * Reads a schedule: five or six fields (seconds first), `@hourly` to `@yearly`, or `@every` with a duration of Go. The
 * prefix `CRON_TZ=` takes precedence over `timeZone`. A local time that a clock change skips comes due right after the
 * change, one that comes twice comes due once; a date that a zone skips as a whole has none. The times of `@every` are
 * multiples of its duration since 1970, so that they do not depend on when a process was started.
 *
 * Throws a {@link ScheduleError} for a text that it cannot read, and for one that never comes due.
 *
 * @example
 * const weekdays = parseSchedule('30 8 * * mon-fri', 'Europe/Berlin')
 * weekdays.next(new Date('2026-03-27T12:00:00Z')) // Monday, 2026-03-30T06:30:00Z: summer time has begun
 */
export function parseSchedule(text: string, timeZone = 'UTC'): Schedule {
  try {
    return read(text, timeZone)
  } catch (problem) {
    if (problem instanceof ScheduleProblem) throw new ScheduleError(text, problem.message)
    throw problem
  }
}

function read(text: string, timeZone: string): Schedule {
  const [, prefix, scheduleText = ''] = /^(?:(?:CRON_)?TZ=(\S*)\s+)?(.*)$/s.exec(text.trim()) ?? []
  const zone = prefix ?? timeZone
  checkTimeZone(zone)
  if (scheduleText.startsWith('@every')) return everySchedule(scheduleText)
  const expression = shortcuts[scheduleText] ?? scheduleText
  if (expression.startsWith('@'))
    throw new ScheduleProblem(`${expression} is unknown; known are ${knownShortcuts()}`)
  return scheduleInZone(readFields(expression), zone)
}

const knownShortcuts = () => [...Object.keys(shortcuts), '@every'].join(', ')

function readFields(expression: string): FieldValues[] {
  const parts = expression.split(/\s+/).filter(Boolean)
  if (parts.length !== 5 && parts.length !== 6)
    throw new ScheduleProblem(
      `it has ${parts.length} fields, but needs 5 (minute, hour, day, month, weekday), or 6 with seconds before them`,
    )
  const texts = parts.length === 5 ? ['0', ...parts] : parts
  return cronFields.map((field, index) => readField(texts[index] ?? '', field))
}

function scheduleInZone(fields: readonly FieldValues[], timezone: string): Schedule {
  const pattern = fields.map(patternOf).join(' ')
  const cron = new Cron(pattern, { timezone, paused: true, fixedTimeRule: 'no-wildcard' })
  if (!cron.nextRun(new Date(0)))
    throw new ScheduleProblem('it never comes due: no month that it permits has such a day')
  return {
    canonical: `${timezone} ${pattern}`,
    next: (instant) => requireTime(cron.nextRun(instant)),
    // The library looks before a time, and a schedule knows whole seconds.
    latest: (instant) => requireTime(cron.previousRuns(1, new Date(secondOf(instant) + 1000))[0]),
  }
}

/**
 * Writes times of day as lists, also `*` and steps. The library then takes each one as a fixed time, which comes due
 * once although the clocks show it twice. Of dates, `*` is kept: a day of the month and a day of the week fit together
 * only next to it.
 */
function patternOf({ any, values }: FieldValues, index: number): string {
  return any && index > 2 ? '*' : values.join(',')
}

const secondOf = (instant: Date) => Math.floor(instant.getTime() / 1000) * 1000

function requireTime(time: Date | null | undefined): Date {
  if (time) return time
  throw new RangeError('no time of the schedule is within the years from 1 to 9999')
}

function everySchedule(text: string): Schedule {
  const duration = text.slice('@every'.length).trim()
  const ms = parseGoDuration(duration) ?? Number.NaN
  if (!(ms >= 1000 && Number.isFinite(ms)))
    throw new ScheduleProblem('@every needs a duration of at least 1s, such as "1h30m"')
  const latestMs = (instant: Date) => Math.floor(instant.getTime() / ms) * ms
  return {
    canonical: `@every ${ms}ms`,
    next: (instant) => new Date(latestMs(instant) + ms),
    latest: (instant) => new Date(latestMs(instant)),
  }
}
