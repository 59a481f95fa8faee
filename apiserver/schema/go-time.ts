/** A time in the server's format, or Go's error. */
export type GoTime = { readonly text: string } | { readonly problem: string }

/** The parts of `time.RFC3339` with their layouts. */
const layoutParts: readonly (readonly [layout: string, pattern: RegExp])[] = [
  ['2006', /^\d{4}/],
  ['-', /^-/],
  ['01', /^\d\d/],
  ['-', /^-/],
  ['02', /^\d\d/],
  ['T', /^T/],
  ['15', /^\d\d/],
  [':', /^:/],
  ['04', /^\d\d/],
  [':', /^:/],
  ['05', /^\d\d/],
]
const zoneLayout = ['Z07:00', /^(?:Z|[+-]\d\d:\d\d)/] as const
const fractionLayout = ['.000000', /^[.,]\d{6}(?!\d)/] as const

const canonical = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d:\d\d)$/

/**
 * Parses a `metav1.Time`, or a `metav1.MicroTime` with its six digits, and formats it like the server: in
 * UTC, without digits that are not stored. The errors are those of `time.Parse` of Go's standard library.
 */
export function parseGoTime(text: string, isMicro: boolean): GoTime {
  const layout = `2006-01-02T15:04:05${isMicro ? '.000000' : ''}Z07:00`
  const problem = problemOf(text, isMicro)
  if (problem === undefined) return { text: inUtc(text, isMicro) }
  const why = problem.startsWith(':') ? problem : ` as ${JSON.stringify(layout)}: ${problem}`
  return { problem: `parsing time ${JSON.stringify(text)}${why}` }
}

function problemOf(text: string, isMicro: boolean): string | undefined {
  let remaining = text
  for (const [layout, pattern] of isMicro
    ? [...layoutParts, fractionLayout, zoneLayout]
    : [...layoutParts, zoneLayout]) {
    // A fraction may follow the seconds even if the layout has none.
    if (layout === 'Z07:00' && !isMicro) remaining = remaining.replace(/^[.,]\d+/, '')
    const match = pattern.exec(remaining)
    if (match === null) return `cannot parse ${JSON.stringify(remaining)} as ${JSON.stringify(layout)}`
    remaining = remaining.slice(match[0].length)
  }
  return remaining === '' ? rangeProblem(text) : `: extra text: ${JSON.stringify(remaining)}`
}

function rangeProblem(text: string): string | undefined {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = text.split(/[-T:.,Z+]/).map(Number)
  if (month < 1 || month > 12) return ': month out of range'
  if (hour > 23) return ': hour out of range'
  if (minute > 59) return ': minute out of range'
  if (second > 59) return ': second out of range'
  const offsetProblem = offsetRangeProblem(text)
  if (offsetProblem !== undefined) return offsetProblem
  const days = new Date(Date.UTC(year, month, 0)).getUTCDate()
  return day < 1 || day > days ? ': day out of range' : undefined
}

/** Go allows offsets of 24 hours and of 60 minutes, because some people write them. */
function offsetRangeProblem(text: string): string | undefined {
  const [, hours, minutes] = /[+-](\d\d):(\d\d)$/.exec(text) ?? []
  if (Number(minutes) > 60) return ': time zone offset minute out of range'
  return Number(hours) > 24 ? ': time zone offset hour out of range' : undefined
}

function inUtc(text: string, isMicro: boolean): string {
  const [, wholePart = '', fraction = '', zone = ''] = canonical.exec(text.replace(',', '.')) ?? []
  const keptFraction = isMicro ? fraction : ''
  if (zone === 'Z') return `${wholePart}${keptFraction}Z`
  const utc = new Date(Date.parse(`${wholePart}Z`) - offsetMs(zone)).toISOString()
  return withGoYear(utc).replace(/\.\d+Z$/, `${keptFraction}Z`)
}

function offsetMs(zone: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)$/.exec(zone) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
}

/** An offset can lead to a year without four digits, which JavaScript writes with six, and Go with as few as fit. */
function withGoYear(time: string): string {
  return time.replace(/^\+0*/, '').replace(/^-00/, '-')
}
