import type { GaugeOptions, Metrics } from '../observe/metrics.js'
import type { Clock } from '../time/clock.js'
import type { Priority } from './waiting-key.js'

const durationBuckets = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60, 300]

/** Options of {@link QueueMetrics}. */
export interface QueueMetricsOptions {
  /** The label `name`. */
  name: string
  metrics: Metrics
  clock: Clock
  /** The number of waiting keys of a priority. */
  depthOf: (priority: Priority) => number
  /** The start times of the current runs, oldest first. */
  startedMs: () => Iterable<number>
}

/**
 * The metrics of a queue, under the names of client-go:
 * https://github.com/kubernetes/component-base/blob/master/metrics/prometheus/workqueue/metrics.go
 */
export class QueueMetrics {
  readonly #labels: { name: string }
  readonly #clock: Clock
  readonly #adds
  readonly #retries
  readonly #queueSeconds
  readonly #workSeconds

  constructor(options: QueueMetricsOptions) {
    const { name, metrics, clock } = options
    this.#labels = { name }
    this.#clock = clock
    const namedOptions = (metric: string, help: string) => ({
      name: `workqueue_${metric}`,
      help,
      labelNames: ['name'],
    })
    const buckets = durationBuckets
    this.#adds = metrics.counter(namedOptions('adds_total', 'Keys put into the queue.'))
    this.#retries = metrics.counter(namedOptions('retries_total', 'Keys put back because their run failed.'))
    this.#queueSeconds = metrics.histogram({
      ...namedOptions('queue_duration_seconds', 'How long a key waited for a worker.'),
      buckets,
    })
    this.#workSeconds = metrics.histogram({
      ...namedOptions('work_duration_seconds', 'How long the run of a key took.'),
      buckets,
    })
    metrics.gauge(depthGauge(options, namedOptions('depth', 'Keys that wait for a worker, by priority.')))
    this.#followRuns(options, namedOptions)
  }

  recordAdd(): void {
    this.#adds.add(this.#labels)
  }

  recordRetry(): void {
    this.#retries.add(this.#labels)
  }

  recordTaken(waitingSinceMs: number): void {
    this.#queueSeconds.observe(this.#labels, this.#secondsSince(waitingSinceMs))
  }

  recordDone(runningSinceMs: number): void {
    this.#workSeconds.observe(this.#labels, this.#secondsSince(runningSinceMs))
  }

  #followRuns(
    { metrics, startedMs }: QueueMetricsOptions,
    namedOptions: (metric: string, help: string) => GaugeOptions,
  ): void {
    const ages = () => Array.from(startedMs(), (start) => this.#secondsSince(start))
    metrics.gauge({
      ...namedOptions('unfinished_work_seconds', 'Time spent so far in the runs under way.'),
      follow: (gauge) =>
        gauge.set(
          this.#labels,
          ages().reduce((sum, age) => sum + age, 0),
        ),
    })
    metrics.gauge({
      ...namedOptions('longest_running_processor_seconds', 'Age of the oldest run.'),
      follow: (gauge) => gauge.set(this.#labels, ages()[0] ?? 0),
    })
  }

  #secondsSince(startMs: number): number {
    return (this.#clock.now() - startMs) / 1000
  }
}

/** The options of the gauge that counts waiting keys by priority. */
function depthGauge({ name, depthOf }: QueueMetricsOptions, namedOptions: GaugeOptions): GaugeOptions {
  return {
    ...namedOptions,
    labelNames: ['name', 'priority'],
    follow: (gauge) => {
      for (const priority of ['live', 'background'] as const) gauge.set({ name, priority }, depthOf(priority))
    },
  }
}
