import type { PrometheusMetrics, Sample } from '../health/prometheus-metrics.js'

/** The samples of the metrics that the inspector shows. */
export type Read = Readonly<Record<keyof typeof metricNames, readonly Sample[]>>

/** Counted anyway, so that the inspector need not count again. */
const metricNames = {
  runs: 'controller_runtime_reconcile_total',
  lists: 'watch_lists_total',
  streams: 'watch_streams_total',
  restarts: 'watch_restarts_total',
  opened: 'watch_opened_timestamp_seconds',
  hookCalls: 'hook_calls_total',
  hookSeconds: 'hook_duration_seconds',
  answers: 'interceptor_requests_total',
  answerSeconds: 'interceptor_duration_seconds',
  methodCalls: 'cnpg_plugin_calls_total',
} as const

/** Reads the metrics that the inspector shows. */
export async function readMetrics(metrics: PrometheusMetrics): Promise<Read> {
  const entries = Object.entries(metricNames).map(async ([name, metric]) => [
    name,
    await metrics.samples(metric),
  ])
  return Object.fromEntries(await Promise.all(entries)) as Read
}

type Labels = Readonly<Record<string, string>>

const fits = (sample: Sample, labels: Labels) =>
  Object.entries(labels).every(([name, value]) => sample.labels[name] === value)

/** The value of the first of those samples. */
export const first = (samples: readonly Sample[], labels: Labels) =>
  samples.find((sample) => fits(sample, labels))?.value

/** The values of those samples by one more label. */
export function sums(samples: readonly Sample[], labels: Labels, by: string): Record<string, number> {
  const fitting = samples.filter((sample) => fits(sample, labels))
  return Object.fromEntries(fitting.map(({ labels, value }) => [labels[by] ?? '', value]))
}

/** The mean of a histogram, in milliseconds; null if it is empty. */
export function mean(samples: readonly Sample[], labels: Labels): number | null {
  const part = (suffix: string) =>
    first(
      samples.filter(({ name }) => name.endsWith(suffix)),
      labels,
    ) ?? 0
  const count = part('_count')
  return count === 0 ? null : (part('_sum') / count) * 1000
}
