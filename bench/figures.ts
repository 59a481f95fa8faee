import type { Measurement } from './session.js'

/** All measurements of one contestant in one scenario. */
export interface Series {
  readonly mirror: string
  readonly scenario: string
  readonly runs: readonly Measurement[]
}

/** The median of the values; `undefined` if there are none. */
export function median(values: readonly number[]): number | undefined {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const [left, right] = [sorted[middle - 1], sorted[middle]]
  return sorted.length % 2 === 1 || left === undefined || right === undefined ? right : (left + right) / 2
}

/** Rounds to three significant digits; larger integers keep all digits. */
export function short(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return 'never'
  return value >= 100 || Number.isInteger(value) ? value.toFixed(0) : String(Number(value.toPrecision(3)))
}

/** Median, minimum and maximum: `8.46 (8.1–9)`. */
export function spread(values: readonly number[]): string {
  const middle = median(values)
  if (middle === undefined) return '–'
  const [least, most] = [Math.min(...values), Math.max(...values)]
  return least === most ? short(middle) : `${short(middle)} (${short(least)}–${short(most)})`
}

/** The scenario with all its conditions: `cold 1000, 64 B, +5 ms`. */
export function titleOf({ scenario, payload, delay_ms }: Measurement): string {
  const name = scenario.replace(/^floor (\d+) .*/, 'cold $1')
  const bytes = payload === undefined ? '' : payload < 1024 ? `, ${payload} B` : `, ${payload / 1024} KiB`
  return `${name}${bytes}${delay_ms ? `, +${delay_ms} ms` : ''}`
}

/** The series of a session, in the order in which they were first measured. */
export function seriesOf(measurements: readonly Measurement[]): Series[] {
  const series = new Map<string, Series & { runs: Measurement[] }>()
  for (const each of measurements) {
    const [scenario, { mirror }] = [titleOf(each), each]
    const key = `${scenario}|${mirror}`
    const found = series.get(key) ?? { mirror, scenario, runs: [] }
    found.runs.push(each)
    series.set(key, found)
  }
  return [...series.values()]
}

/** All values of one metric. */
export function valuesOf({ runs }: Series, metric: string): number[] {
  return runs.map(({ metrics }) => metrics?.[metric]).filter((value) => value !== undefined)
}
