import { Counter, collectDefaultMetrics, Gauge, Histogram, type Metric, Registry } from 'prom-client'
import type { MetricOptions, Metrics } from '../observe/metrics.js'
import { loopSampleMs } from './loop-check.js'

/** Metrics that can be read in Prometheus' text format. */
export interface PrometheusMetrics extends Metrics {
  /** The content type of {@link text}. */
  readonly contentType: string
  /** Every metric with its values; gauges that follow a value show its current state. */
  text(): Promise<string>
  /** The values of one metric; empty if no metric of that name was created. */
  samples(name: string): Promise<readonly MetricSample[]>
}

/** One value of a metric. */
export interface MetricSample {
  /** The name of the metric; for a part of a histogram, with `_count`, `_sum` or `_bucket`. */
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/**
 * Makes metrics in a registry of their own, so that two plugins in one process do not mix. The metrics of the process
 * and of Node (`process_…`, `nodejs_…`) are included.
 */
export function createPrometheusMetrics(): PrometheusMetrics {
  return new RegistryMetrics()
}

class RegistryMetrics implements PrometheusMetrics {
  readonly #registry = new Registry()

  constructor() {
    collectDefaultMetrics({ register: this.#registry, eventLoopMonitoringPrecision: loopSampleMs })
  }

  get contentType(): string {
    return this.#registry.contentType
  }

  text(): Promise<string> {
    return this.#registry.metrics()
  }

  async samples(name: string): Promise<readonly MetricSample[]> {
    const metric = await this.#registry.getSingleMetric(name)?.get()
    const values: readonly Value[] = metric?.values ?? []
    return values.map(({ metricName = name, labels, value }) => ({
      name: metricName,
      labels: stringLabels(labels),
      value,
    }))
  }

  counter(options: MetricOptions): ReturnType<Metrics['counter']> {
    const counter = this.#metric(options, (made) => new Counter(made))
    return { add: (labels = {}, value = 1) => counter.inc(labels, value) }
  }

  gauge({ follow, ...options }: Parameters<Metrics['gauge']>[0]): ReturnType<Metrics['gauge']> {
    const gauge = this.#metric(options, (made) => new FollowingGauge(made))
    const handle = { set: (labels: Record<string, string>, value: number) => gauge.set(labels, value) }
    if (follow) gauge.followers.push(() => follow(handle))
    return handle
  }

  histogram({ buckets, ...options }: Parameters<Metrics['histogram']>[0]): ReturnType<Metrics['histogram']> {
    const histogram = this.#metric(
      options,
      (gaugeOptions) => new Histogram({ ...gaugeOptions, ...(buckets && { buckets: [...buckets] }) }),
    )
    return { observe: (labels, value) => histogram.observe(labels, value) }
  }

  /** The metric of that name, made when first asked for. */
  #metric<M extends Metric>(
    { name, help, labelNames = [] }: MetricOptions,
    make: (options: FollowingGaugeOptions) => M,
  ): M {
    const existing = this.#registry.getSingleMetric(name)
    // A name always has the same kind of metric, as with every Prometheus client.
    if (existing) return existing as M
    return make({ name, help, labelNames: [...labelNames], registers: [this.#registry] })
  }
}

interface Value {
  metricName?: string
  labels: object
  value: number
}

const stringLabels = (labels: object) =>
  Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, String(value)]))

interface FollowingGaugeOptions {
  name: string
  help: string
  labelNames: string[]
  registers: Registry[]
}

/** A gauge that calls its followers for current values whenever it is read. */
class FollowingGauge extends Gauge {
  readonly followers: (() => void)[]

  constructor(options: FollowingGaugeOptions) {
    const followers: (() => void)[] = []
    super({
      ...options,
      collect: () => {
        for (const follow of followers) follow()
      },
    })
    this.followers = followers
  }
}
