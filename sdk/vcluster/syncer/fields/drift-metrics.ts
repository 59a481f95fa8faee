import type { KubeObject } from '../../../engine/kube/object.js'
import type { Counter, Metrics } from '../../../engine/observe/metrics.js'

/** Options of {@link DriftMetrics}. */
export interface DriftMetricsOptions {
  /** The label `controller`. */
  name: string
  metrics: Metrics
}

/** A copy before and after a write; `after` is left out if another run will check the copy. */
export interface WrittenCopy {
  readonly before?: KubeObject | undefined
  readonly after?: KubeObject | undefined
}

/**
 * Counts runs without a write, and repairs of copies. A repair is a write of a copy although the original has not
 * changed since a run left an equal copy: then somebody else has changed or deleted the copy. Translators call it at
 * the end of each run.
 */
export class DriftMetrics {
  readonly #controller: { controller: string }
  readonly #avoided: Counter
  readonly #repaired: Counter
  /** For each original, the resourceVersion of its copy after the last run that left an equal copy. */
  readonly #alike = new WeakMap<KubeObject, string | undefined>()

  constructor({ name, metrics }: DriftMetricsOptions) {
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

  /** Records a run that wrote nothing. The original is the store's own object. */
  recordNoop(original: KubeObject | undefined, copy: KubeObject | undefined): undefined {
    this.#avoided.add(this.#controller)
    if (original) this.#alike.set(original, copy?.metadata.resourceVersion)
  }

  /** Records a write of the copy. */
  recordWrite(original: KubeObject | undefined, { before, after }: WrittenCopy): void {
    if (!original) return
    const isDrift =
      this.#alike.has(original) && this.#alike.get(original) !== before?.metadata.resourceVersion
    if (isDrift) this.#repaired.add(this.#controller)
    if (after) this.#alike.set(original, after.metadata.resourceVersion)
    else this.#alike.delete(original)
  }
}
