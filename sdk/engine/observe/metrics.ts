/** The label values of one observation. */
export type MetricLabels = Record<string, string>

/** A number that only grows. */
export interface Counter {
  add(labels?: MetricLabels, value?: number): void
}

/** A number that goes up and down. */
export interface Gauge {
  set(labels: MetricLabels, value: number): void
}

/** A distribution of values, in the unit the metric's name ends with. */
export interface Histogram {
  observe(labels: MetricLabels, value: number): void
}

/** A metric to register: Prometheus name, one sentence, and the names of its labels. */
export interface MetricOptions {
  name: string
  help: string
  labelNames?: readonly string[]
}

/** A gauge to register. */
export interface GaugeOptions extends MetricOptions {
  /** Called before each reading, to set the current value; by default the gauge keeps its last value. */
  follow?: (gauge: Gauge) => void
}

/** Makes metric handles. Two calls with one name return the same metric, so modules need not share handles. */
export interface Metrics {
  counter(options: MetricOptions): Counter
  gauge(options: GaugeOptions): Gauge
  histogram(options: MetricOptions & { buckets?: readonly number[] }): Histogram
}

/** Measures nothing. */
export const noMetrics: Metrics = {
  counter: () => ({ add: () => {} }),
  gauge: () => ({ set: () => {} }),
  histogram: () => ({ observe: () => {} }),
}
