const unitMs: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
}
// Users write durations: the digits before a dot and those after it never match the same text.
const part = /(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g
const whole = /^[+-]?(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/

/** A duration of Go such as `1m30s` in milliseconds; undefined if it is not one. A number needs a unit, except `0`. */
export function parseGoDuration(text: string): number | undefined {
  if (text === '0') return 0
  if (!whole.test(text)) return undefined
  const sum = [...text.matchAll(part)].reduce(
    (ms, [, number, unit = '']) => ms + Number(number) * (unitMs[unit] ?? 0),
    0,
  )
  return text.startsWith('-') ? -sum : sum
}
