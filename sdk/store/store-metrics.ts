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

/** What the stores of one cluster tell about themselves, by kind and namespace (`''` for all of them). */
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
      help: 'How long the watch took to tell of a write of ours, which readers have seen since its answer.',
      labelNames: ['cluster'],
      buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 20, 60],
    })
    this.#follow('store_objects', 'Objects that are held.', ({ store }) => store.size)
    this.#follow('store_resource_version', 'How far the watch has come.', ({ store }) =>
      Number(store.resourceVersion ?? 0),
    )
    this.#follow(
      'store_unconfirmed_writes',
      'Writes of ours that the watch has not told of yet.',
      ({ store }) => store.unconfirmed.count,
    )
    this.#follow(
      'store_oldest_unconfirmed_write_seconds',
      'For how long the oldest of them has been waited for.',
      ({ store }) => store.unconfirmed.oldestMs / 1000,
    )
    this.#followStaleness()
  }

  /** The watch told of a write of ours. */
  confirmed(tookMs: number): void {
    this.#confirmed.observe({ cluster: this.#cluster }, tookMs / 1000)
  }

  #followStaleness(): void {
    this.#gauge(
      'sync_staleness_rv',
      'How many changes of the cluster, of whatever kind, a store may not know of: from its own resourceVersion to the latest that was heard of.',
      (gauge) => {
        const entries = this.#entries()
        const latest = entries.map(({ store }) => store.latestKnown).reduce(laterOf, undefined)
        for (const entry of entries) {
          gauge.set(this.#labels(entry), distanceBetween(entry.store.resourceVersion, latest))
        }
      },
    )
  }

  #follow(name: string, help: string, measure: (entry: StoreEntry) => number): void {
    this.#gauge(name, help, (gauge) => {
      for (const entry of this.#entries()) gauge.set(this.#labels(entry), measure(entry))
    })
  }

  #gauge(name: string, help: string, follow: (gauge: Gauge) => void): void {
    this.#metrics.gauge({ name, help, labelNames: ['cluster', 'resource', 'namespace'], follow })
  }

  #labels({ resource, namespace = '' }: StoreEntry): MetricLabels {
    return { cluster: this.#cluster, resource: formatResource(resource), namespace }
  }
}
