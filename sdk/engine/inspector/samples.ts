import type { MetricSample } from '../health/prometheus-metrics.js'

type Labels = Readonly<Record<string, string>>

const fits = (sample: MetricSample, labels: Labels) =>
  Object.entries(labels).every(([name, value]) => sample.labels[name] === value)

/** The value of the first of those samples. */
export const first = (samples: readonly MetricSample[], labels: Labels) =>
  samples.find((sample) => fits(sample, labels))?.value

/** The values of those samples by one more label. */
export function sums(samples: readonly MetricSample[], labels: Labels, by: string): Record<string, number> {
  const fitting = samples.filter((sample) => fits(sample, labels))
  return Object.fromEntries(fitting.map(({ labels, value }) => [labels[by] ?? '', value]))
}

/** The mean of a histogram, in milliseconds; null if it is empty. */
export function mean(samples: readonly MetricSample[], labels: Labels): number | null {
  const part = (suffix: string) =>
    first(
      samples.filter(({ name }) => name.endsWith(suffix)),
      labels,
    ) ?? 0
  const count = part('_count')
  return count === 0 ? null : (part('_sum') / count) * 1000
}
