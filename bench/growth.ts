import { median, type Series, short, valuesOf } from './figures.js'

const METRICS = [
  ['seconds', 's'],
  ['cpu_s', 'CPU s'],
  ['peak_rss_mib', 'peak MiB'],
] as const

/** What `base + perThousand * n / 1000` fits best, and by how large a share of a value it misses one at most. */
export interface LineFit {
  readonly base: number
  readonly perThousand: number
  readonly residual: number
}

/** The line through values of different sizes, by least squares of the shares by which it misses them. */
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

/** How cold starts grow with the number of objects, where the session has them of three sizes. */
export function growthTable(all: readonly Series[], mirrors: readonly string[]): string[] {
  const rows = mirrors.flatMap((mirror) =>
    METRICS.flatMap(([metric, words]) => row(all, { mirror, metric, words })),
  )
  if (rows.length === 0) return []
  return [
    '### How a cold start grows\n',
    'Measured, and the line that fits best by least squares of shares; how far it is from a measured value at most.\n',
    '| | 1,000 | 10,000 | 50,000 | line, n in thousands | off by |\n|---|---|---|---|---|---|',
    ...rows,
    '',
  ]
}

function row(
  all: readonly Series[],
  { mirror, metric, words }: Record<'mirror' | 'metric' | 'words', string>,
): string[] {
  const points = [1000, 10_000, 50_000].flatMap((n) => {
    const series = all.find((each) => each.mirror === mirror && each.scenario === `cold ${n}`)
    const value = series && median(valuesOf(series, metric))
    return value === undefined ? [] : [[n, value] as const]
  })
  if (points.length < 3) return []
  const { base, perThousand, residual } = fitLine(points)
  const values = points.map(([, value]) => short(value)).join(' | ')
  return [
    `| ${mirror}, ${words} | ${values} | ${short(base)} + ${short(perThousand)} n | ${short(residual * 100)} % |`,
  ]
}
