import { median, type Series, short, valuesOf } from './figures.js'

const metrics = [
  ['seconds', 's'],
  ['cpu_s', 'CPU s'],
  ['peak_rss_mib', 'peak MiB'],
] as const

/** The best fit of `base + perThousand * n / 1000`, and its largest relative deviation from a value. */
export interface LineFit {
  readonly base: number
  readonly perThousand: number
  readonly residual: number
}

/** Fits a line through values of different sizes, by least squares of the relative deviations. */
export function fitLine(points: readonly (readonly [n: number, value: number])[]): LineFit {
  const weights = points.map(([, value]) => 1 / value ** 2)
  const mean = (of: (n: number, value: number) => number) =>
    points.reduce((sum, [n, value], at) => sum + (weights[at] ?? 0) * of(n, value), 0) /
    weights.reduce((sum, weight) => sum + weight)
  const [meanN, meanValue] = [mean((n) => n), mean((_, value) => value)]
  const slope = mean((n, value) => (n - meanN) * (value - meanValue)) / mean((n) => (n - meanN) ** 2)
  const base = meanValue - slope * meanN
  const misses = points.map(([n, value]) => Math.abs(base + slope * n - value) / value)
  return { base, perThousand: slope * 1000, residual: Math.max(...misses) }
}

/** The numbers of objects of which a session may have cold starts. */
const sizes = [1000, 10_000, 50_000, 200_000]

/**
 * A table of the growth of cold starts with the number of objects, for mirrors of which the session has at least three
 * sizes.
 */
export function growthTable(all: readonly Series[], mirrors: readonly string[]): string[] {
  const rows = mirrors.flatMap((mirror) =>
    metrics.flatMap(([metric, words]) => row(all, { mirror, metric, words })),
  )
  if (rows.length === 0) return []
  const columns = sizes.map((n) => n.toLocaleString('en')).join(' | ')
  return [
    '### Growth of a cold start\n',
    'Measured values, the line that fits best by least squares of relative deviations, and its largest deviation.\n',
    `| | ${columns} | line, n in thousands | deviation |\n|---${'|---'.repeat(sizes.length)}|---|---|`,
    ...rows,
    '',
  ]
}

function row(
  all: readonly Series[],
  { mirror, metric, words }: Record<'mirror' | 'metric' | 'words', string>,
): string[] {
  const found = sizes.map((n) => {
    const series = all.find((each) => each.mirror === mirror && each.scenario === `cold ${n}`)
    return [n, series && median(valuesOf(series, metric))] as const
  })
  const points = found.flatMap(([n, value]) => (value === undefined ? [] : [[n, value] as const]))
  if (points.length < 3) return []
  const { base, perThousand, residual } = fitLine(points)
  const values = found.map(([, value]) => (value === undefined ? '–' : short(value))).join(' | ')
  return [
    `| ${mirror}, ${words} | ${values} | ${short(base)} + ${short(perThousand)} n | ${short(residual * 100)} % |`,
  ]
}
