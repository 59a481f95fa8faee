import { formatKey, type Key } from '../kube/key.js'
import type { Histogram, Metrics } from '../observe/metrics.js'
import type { Clock } from '../time/clock.js'

/** Options of {@link SyncLag}. */
export interface SyncLagOptions {
  /** The label `controller`. */
  name: string
  metrics: Metrics
  clock: Clock
}

/**
 * Measures how late the other cluster is: the time from when a change is seen until a run that began after the change
 * has succeeded. The time of failed runs in between counts. A key that was given up, or that waits for another object,
 * does not count.
 */
export class SyncLag {
  readonly #name: string
  readonly #clock: Clock
  readonly #seconds: Histogram
  /** For each key, the time of its first change that no run has begun to handle, in milliseconds. */
  readonly #waiting = new Map<string, number>()
  /** For each key, the time of the first change that the run under way handles, in milliseconds. */
  readonly #inProgress = new Map<string, number>()

  constructor({ name, metrics, clock }: SyncLagOptions) {
    this.#name = name
    this.#clock = clock
    this.#seconds = metrics.histogram({
      name: 'sync_lag_seconds',
      help: 'The time from a change until a run that saw it succeeded.',
      labelNames: ['controller'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
    })
  }

  /** Records a change of the key. */
  recordChange(key: Key): void {
    const id = formatKey(key)
    if (!this.#waiting.has(id)) this.#waiting.set(id, this.#clock.now())
  }

  /** Records that a run of the key begins. */
  recordStart(key: Key): void {
    const id = formatKey(key)
    const sinceMs = this.#waiting.get(id)
    if (sinceMs === undefined) return
    this.#waiting.delete(id)
    this.#inProgress.set(id, sinceMs)
  }

  /** Records a successful run. Returns how late it was, in milliseconds, if a change enqueued the key. */
  recordSuccess(key: Key): number | undefined {
    const sinceMs = this.#inProgress.get(formatKey(key))
    this.recordDrop(key)
    if (sinceMs === undefined) return undefined
    const lagMs = this.#clock.now() - sinceMs
    this.#seconds.observe({ controller: this.#name }, lagMs / 1000)
    return lagMs
  }

  /** Records a failed run of a key; another run follows. */
  recordFailure(key: Key): void {
    const id = formatKey(key)
    const sinceMs = this.#inProgress.get(id)
    if (sinceMs !== undefined) this.#waiting.set(id, sinceMs)
    this.recordDrop(key)
  }

  /** Records that no run of the key follows by itself. */
  recordDrop(key: Key): void {
    this.#inProgress.delete(formatKey(key))
  }
}
