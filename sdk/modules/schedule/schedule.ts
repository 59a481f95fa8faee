import { parseGoDuration } from '../../helm/values/go-duration.js'
import { type CalendarFields, hasDates, nearest } from './calendar.js'
import { cronFields, type FieldValues, readField } from './cron-field.js'
import { ScheduleError, ScheduleProblem } from './schedule-error.js'
import { TimeZone } from './time-zone.js'

/** The points in time at which something comes due. */
export interface Schedule {
  /** The text, without its time zone, and the zone: equal for schedules that come due at the same times. */
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
 * change, one that comes twice comes due once. The times of `@every` are multiples of its duration since 1970, so that
 * they do not depend on when a process was started.
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
  const [, prefix, rest = ''] = /^(?:(?:CRON_)?TZ=(\S*)\s+)?(.*)$/s.exec(text.trim()) ?? []
  const zone = new TimeZone(prefix ?? timeZone)
  if (rest.startsWith('@every')) return every(rest)
  const expression = shortcuts[rest] ?? rest
  if (expression.startsWith('@'))
    throw new ScheduleProblem(`${expression} is unknown; known are ${knownShortcuts()}`)
  return inZone(readFields(expression), zone)
}

const knownShortcuts = () => [...Object.keys(shortcuts), '@every'].join(', ')

function readFields(expression: string): CalendarFields {
  const parts = expression.split(/\s+/).filter(Boolean)
  if (parts.length !== 5 && parts.length !== 6)
    throw new ScheduleProblem(`it has ${parts.length} fields, but needs 5 or 6`)
  const texts = parts.length === 5 ? ['0', ...parts] : parts
  const [second, minute, hour, dayOfMonth, month, dayOfWeek] = cronFields.map((field, at) =>
    readField(texts[at] ?? '', field),
  ) as [FieldValues, FieldValues, FieldValues, FieldValues, FieldValues, FieldValues]
  const fields = { second, minute, hour, dayOfMonth, month, dayOfWeek }
  if (!hasDates(fields))
    throw new ScheduleProblem('it never comes due: no month that it permits has such a day')
  return fields
}

function inZone(fields: CalendarFields, zone: TimeZone): Schedule {
  return {
    canonical: JSON.stringify([zone.name, fields]),
    next(instant) {
      const second = Math.floor(zone.latestLocal(instant.getTime()) / 1000) * 1000
      return new Date(zone.instantOf(nearest(fields, second + 1000, 1)))
    },
    latest: (instant) => new Date(zone.instantOf(nearest(fields, zone.latestLocal(instant.getTime()), -1))),
  }
}

function every(text: string): Schedule {
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
