import type { FieldValues } from './cron-field.js'

/** A local time without a zone: the milliseconds since 1970 of a clock that shows UTC and the same digits. */
export type LocalMs = number

/** The fields of a cron expression, read. */
export interface CalendarFields {
  readonly second: FieldValues
  readonly minute: FieldValues
  readonly hour: FieldValues
  readonly dayOfMonth: FieldValues
  readonly month: FieldValues
  readonly dayOfWeek: FieldValues
}

const dayMs = 86_400_000
/** 29 February can be eight years away; one more because a search begins within a year. */
const mostDays = 9 * 366
const longestMonths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Whether any date fits: 30 February does not. */
export function hasDates({ dayOfMonth, month, dayOfWeek }: CalendarFields): boolean {
  if (!dayOfWeek.any) return true
  const first = dayOfMonth.values[0] ?? 1
  return month.values.some((one) => first <= (longestMonths[one - 1] ?? 0))
}

/** The first fitting time at `from` or after it; with `direction` -1 the last one at `from` or before it. */
export function nearest(fields: CalendarFields, from: LocalMs, direction: 1 | -1): LocalMs {
  const lists = [fields.hour, fields.minute, fields.second].map(({ values }) =>
    direction === 1 ? values : [...values].reverse(),
  )
  const date = new Date(from)
  const midnight = from - (((from % dayMs) + dayMs) % dayMs)
  if (fitsDate(fields, midnight)) {
    const digits = [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()]
    const time = nearestDigits(lists, digits, direction)
    if (time) return midnight + inMs(time)
  }
  const extreme = inMs(lists.map(([first = 0]) => first))
  for (let days = 1; days <= mostDays; days++) {
    const day = midnight + direction * days * dayMs
    if (fitsDate(fields, day)) return day + extreme
  }
  throw new Error('no date fits the schedule')
}

/** If both the day of the month and the day of the week are set, either one fits, as in cron. */
function fitsDate({ dayOfMonth, month, dayOfWeek }: CalendarFields, day: LocalMs): boolean {
  const date = new Date(day)
  if (!month.values.includes(date.getUTCMonth() + 1)) return false
  const fitsMonthDay = dayOfMonth.values.includes(date.getUTCDate())
  const fitsWeekday = dayOfWeek.values.includes(date.getUTCDay())
  return dayOfMonth.any || dayOfWeek.any ? fitsMonthDay && fitsWeekday : fitsMonthDay || fitsWeekday
}

/** The nearest combination of one value of each list to `digits`, compared from the left; undefined if none is left. */
function nearestDigits(
  [list, ...rest]: readonly (readonly number[])[],
  [digit = 0, ...restDigits]: readonly number[],
  direction: 1 | -1,
): number[] | undefined {
  if (!list) return []
  for (const value of list) {
    const ahead = (value - digit) * direction
    if (ahead < 0) continue
    const tail = ahead > 0 ? rest.map(([first = 0]) => first) : nearestDigits(rest, restDigits, direction)
    if (tail) return [value, ...tail]
  }
  return undefined
}

function inMs([hour = 0, minute = 0, second = 0]: readonly number[]): number {
  return ((hour * 60 + minute) * 60 + second) * 1000
}
