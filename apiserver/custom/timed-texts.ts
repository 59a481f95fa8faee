/** Whether texts are dates, times and durations as Go's strfmt reads them. */

const datePattern = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/

/** A day of the calendar. */
export function isDate(text: string): boolean {
  return datePattern.test(text) && new Date(`${text}T00:00:00Z`).toISOString().startsWith(text)
}

/** Any one character may stand before the fraction, and what follows a second `T` is not read. */
const timePattern = /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d(.\d+)?(z|[+-]\d{2}:\d{2})$/

/** A day and a time with its zone. */
export function isDateTime(text: string): boolean {
  const [date = '', time = ''] = text.toLowerCase().split('t', 2)
  return isDate(date) && timePattern.test(time)
}

const goDuration = /^[-+]?(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$|^[-+]?0$/
const goParts = /([\d.]+)(\D+)/g
const nanoseconds: Readonly<Record<string, number>> = { ns: 1, ms: 1e6, s: 1e9, m: 60e9, h: 3600e9 }
/** The nanoseconds that Go's durations have at most, rounded up. */
const maxNanoseconds = 2 ** 63

/** A duration of Go of about 290 years at most. */
function isGoDuration(text: string): boolean {
  if (!goDuration.test(text)) return false
  const parts = [...text.matchAll(goParts)]
  const total = parts.reduce(
    (sum, [, count, unit = '']) => sum + Number(count) * (nanoseconds[unit] ?? 1e3),
    0,
  )
  return total < maxNanoseconds
}

const looseParts = /(?<!\d)(\d+)\s*([A-Za-zµ]+)/g
const looseUnits = /^(?:ns|us|µs|ms|s|m|h|hr|d|w|wk|(?:nano|micro|milli|sec|min|hour|day|week).*)$/i
const maxWhole = '9223372036854775807'

/** Whether a number is one of 64 bits. */
function fits(digits: string): boolean {
  const plain = digits.replace(/^0+/, '')
  return plain.length < maxWhole.length || (plain.length === maxWhole.length && plain <= maxWhole)
}

/** A duration of Go, or a text in which a number is followed by a unit, or by a word that begins with one. */
export function isDuration(text: string): boolean {
  if (isGoDuration(text)) return true
  const parts = [...text.matchAll(looseParts)]
  return (
    parts.every(([, digits = '']) => fits(digits)) && parts.some(([, , unit = '']) => looseUnits.test(unit))
  )
}
