/** Dates, times and durations as Go's strfmt reads them. */

const datePattern = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/

/** A day of the calendar. */
export function isDate(text: string): boolean {
  return datePattern.test(text) && new Date(`${text}T00:00:00Z`).toISOString().startsWith(text)
}

/** Any one character may stand before the fraction, and what follows a second `T` is not read. */
const timePattern = /^(([01]\d|2[0-3]):[0-5]\d:[0-5]\d)(.\d+)?(z|[+-]\d{2}:\d{2})$/

/** A day and a time with its zone. */
export const isDateTime = (text: string): boolean => readDateTime(text) !== undefined

/** The moment of a day and a time with its zone. */
export function readDateTime(text: string): Date | undefined {
  const [date = '', rest = ''] = text.toLowerCase().split('t', 2)
  const [, time = '', , fraction = '', zone = ''] = timePattern.exec(rest) ?? []
  if (!isDate(date) || time === '') return undefined
  return new Date(`${date}T${time}${fraction.replace(/^./, '.')}${zone.toUpperCase()}`)
}

const goDuration = /^[-+]?(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$|^[-+]?0$/
const goParts = /([\d.]+)(\D+)/g
const goUnits: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1000n,
  µs: 1000n,
  μs: 1000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
}
const maxNanoseconds = 2n ** 63n - 1n

/** The nanoseconds of a duration of Go, which has about 290 years at most. */
function readGoDuration(text: string): bigint | undefined {
  if (!goDuration.test(text)) return undefined
  const parts = [...text.matchAll(goParts)]
  const total = parts.reduce(
    (sum, [, count = '', unit = '']) => sum + nanosecondsOf(count, goUnits[unit] ?? 1n),
    0n,
  )
  if (total > maxNanoseconds) return undefined
  return text.startsWith('-') ? -total : total
}

/** A number with a fraction, in a unit; what is less than a nanosecond is cut. */
function nanosecondsOf(count: string, unit: bigint): bigint {
  const [whole = '', fraction = ''] = count.split('.')
  const digits = fraction.slice(0, 18)
  return BigInt(whole || '0') * unit + (BigInt(digits || '0') * unit) / 10n ** BigInt(digits.length)
}

const looseParts = /(?<!\d)(\d+)\s*([A-Za-zµ]+)/g
/** The names of units, and the beginnings of other names. */
const looseUnits: readonly (readonly [pattern: RegExp, nanoseconds: bigint])[] = [
  [/^(?:ns|nano.*)$/i, 1n],
  [/^(?:us|µs|micro.*)$/i, 1000n],
  [/^(?:ms|milli.*)$/i, 1_000_000n],
  [/^(?:s|sec.*)$/i, 1_000_000_000n],
  [/^(?:m|min.*)$/i, 60_000_000_000n],
  [/^(?:h|hr|hour.*)$/i, 3_600_000_000_000n],
  [/^(?:d|day.*)$/i, 86_400_000_000_000n],
  [/^(?:w|wk|week.*)$/i, 604_800_000_000_000n],
]

/** A duration of Go, or a text in which a number is followed by a unit, or by a word that begins with one. */
export const isDuration = (text: string): boolean => readDuration(text) !== undefined

/** The nanoseconds of a duration. */
export function readDuration(text: string): bigint | undefined {
  const exact = readGoDuration(text)
  if (exact !== undefined) return exact
  let total: bigint | undefined
  for (const [, digits = '', unit = ''] of text.matchAll(looseParts)) {
    const plain = digits.replace(/^0+/, '')
    const count = plain.length > 19 ? undefined : BigInt(plain)
    if (count === undefined || count > maxNanoseconds) return undefined
    const [, nanoseconds] = looseUnits.find(([pattern]) => pattern.test(unit)) ?? []
    if (nanoseconds !== undefined) total = BigInt.asIntN(64, (total ?? 0n) + count * nanoseconds)
  }
  return total
}
