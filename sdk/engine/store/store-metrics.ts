import { formatResource } from '../kube/resource.js'
import { distanceBetween, laterOf } from '../kube/resource-version.js'
import type { Gauge, Histogram, MetricLabels, Metrics } from '../observe/metrics.js'
import type { StoreEntry } from './store-entry.js'

/** Options of {@link StoreMetrics}. */
export interface StoreMetricsOptions {
  /** The label `cluster`. */
  cluster: string
  metrics: Metrics
  /** The stores of the cluster. */
  entries: () => readonly StoreEntry[]
}

/** The metrics of one cluster's stores, by kind and namespace (`''` for all namespaces). */
export class StoreMetrics {
  readonly #cluster: string
  readonly #metrics: Metrics
  readonly #entries: () => readonly StoreEntry[]
  readonly #confirmed: Histogram

  constructor({ cluster, metrics, entries }: StoreMetricsOptions) {
    this.#cluster = cluster
    this.#metrics = metrics
    this.#entries = entries
    this.#confirmed = metrics.histogram({
      name: 'store_own_write_confirmed_seconds',
      help: 'How long the watch took to confirm an own write, which readers see from its answer on.',
      labelNames: ['cluster'],
      buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 20, 60],
    })
    this.#addGauge('store_objects', 'Objects in the store.', ({ store }) => store.size)
    this.#addGauge('store_resource_version', 'The resourceVersion that the watch has reached.', ({ store }) =>
      Number(store.resourceVersion ?? 0),
    )
    this.#addGauge(
      'store_unconfirmed_writes',
      'Own writes that the watch has not confirmed yet.',
      ({ store }) => store.unconfirmed.count,
    )
    this.#addGauge(
      'store_oldest_unconfirmed_write_seconds',
      'The age of the oldest unconfirmed own write.',
      ({ store }) => store.unconfirmed.oldestMs / 1000,
    )
    this.#addStalenessGauge()
  }

  /** Records that the watch confirmed an own write. */
  confirmed(tookMs: number): void {
    this.#confirmed.observe({ cluster: this.#cluster }, tookMs / 1000)
  }

  /** Adds the gauge of how far each store is behind the latest known resourceVersion. */
  #addStalenessGauge(): void {
    this.#registerGauge(
      'sync_staleness_rv',
      'Upper bound of the changes of the cluster, of any kind, that a store has not seen: from its resourceVersion to the latest known one.',
      (gauge) => {
        const entries = this.#entries()
        const latest = entries.map(({ store }) => store.latestKnown).reduce(laterOf, undefined)
        for (const entry of entries) {
          gauge.set(this.#labels(entry), distanceBetween(entry.store.resourceVersion, latest))
        }
      },
    )
  }

  /** Adds a gauge that is measured for each store when metrics are read. */
  #addGauge(name: string, help: string, measure: (entry: StoreEntry) => number): void {
    this.#registerGauge(name, help, (gauge) => {
      for (const entry of this.#entries()) gauge.set(this.#labels(entry), measure(entry))
    })
  }

  #registerGauge(name: string, help: string, follow: (gauge: Gauge) => void): void {
    this.#metrics.gauge({ name, help, labelNames: ['cluster', 'resource', 'namespace'], follow })
  }

  #labels({ resource, namespace = '' }: StoreEntry): MetricLabels {
    return { cluster: this.#cluster, resource: formatResource(resource), namespace }
  }
}
