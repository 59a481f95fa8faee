import type { KubeObject } from '../../kube/object.js'
import type { Counter, Metrics } from '../../observe/metrics.js'

/** Options of {@link Upkeep}. */
export interface UpkeepOptions {
  /** The label `controller`. */
  name: string
  metrics: Metrics
}

/**
 * Counts what runs found. An original that was found like its copy, and is still the very object that the store held
 * then, has not changed: if its copy is to be written all the same, somebody else has changed or deleted that.
 */
export class Upkeep {
  readonly #controller: { controller: string }
  readonly #avoided: Counter
  readonly #repaired: Counter
  readonly #alike = new WeakSet<KubeObject>()

  constructor({ name, metrics }: UpkeepOptions) {
    this.#controller = { controller: name }
    const labelNames = ['controller']
    this.#avoided = metrics.counter({
      name: 'sync_noop_writes_avoided_total',
      help: 'Runs that found original and copy alike, and wrote nothing.',
      labelNames,
    })
    this.#repaired = metrics.counter({
      name: 'sync_drift_repaired_total',
      help: 'Copies put back because they were changed or deleted while their originals were not.',
      labelNames,
    })
  }

  /** Nothing was to be written. The original is the store's own object. */
  rested(original: KubeObject | undefined): undefined {
    this.#avoided.add(this.#controller)
    if (original) this.#alike.add(original)
  }

  /** The copy was written. */
  wrote(original: KubeObject | undefined): void {
    if (original && this.#alike.delete(original)) this.#repaired.add(this.#controller)
  }
}
