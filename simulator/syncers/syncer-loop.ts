import type { Subscription } from 'rxjs'
import { isConflict } from '../../sdk/engine/kube/error.js'
import { formatKey, type Key } from '../../sdk/engine/kube/key.js'
import type { Logger } from '../../sdk/engine/observe/logger.js'
import { runWorkers } from '../../sdk/engine/queue/run-workers.js'
import { WorkQueue } from '../../sdk/engine/queue/work-queue.js'
import type { Clock } from '../../sdk/engine/time/clock.js'

/** The number of keys of a kind that vcluster syncs at a time (`MaxConcurrentReconciles` since 0.14). */
const workers = 10

/** A key that is due later than this, in milliseconds, does not keep the loop from counting as idle. */
const soonMs = 1000

/** A syncer for {@link SyncerLoop}. */
export interface LoopedSyncer {
  readonly name: string
  /** Calls `enqueue` with the key of every change from now on. */
  watch(enqueue: (key: Key) => void): Subscription
  /** The keys of all existing objects. Called once, after the first lists. */
  keysAtStart(): Iterable<Key>
  /** Syncs a key. Returns the delay of its next run in milliseconds, or undefined. */
  reconcile(key: Key, signal: AbortSignal): Promise<number | undefined>
}

/**
 * Runs one simulated syncer: changes enqueue keys, workers process them, and a failed key is retried with
 * backoff.
 */
export class SyncerLoop {
  readonly #syncer: LoopedSyncer
  readonly #queue: WorkQueue
  readonly #logger: Logger
  readonly #clock: Clock
  readonly #changes: Subscription

  /** Enqueues changes from now on, so that none is lost before {@link run}. */
  constructor(syncer: LoopedSyncer, { logger, clock }: { logger: Logger; clock: Clock }) {
    this.#syncer = syncer
    this.#logger = logger.child({ syncer: syncer.name })
    this.#clock = clock
    this.#queue = new WorkQueue({ name: syncer.name, clock, workers })
    this.#changes = syncer.watch((key) => this.#queue.add(key))
  }

  /** Whether no key is queued, running, or due within a second. */
  isIdle(): boolean {
    return this.#queue.running === 0 && this.#queue.size === 0 && this.#queue.dueInMs > soonMs
  }

  /** Resolves when the signal has aborted and the last run has ended. */
  async run(signal: AbortSignal): Promise<void> {
    for (const key of this.#syncer.keysAtStart()) this.#queue.add(key)
    const work = (key: Key) => this.#serve(key, signal)
    await runWorkers({
      queue: this.#queue,
      work,
      workers,
      signal,
      clock: this.#clock,
      logger: this.#logger,
    })
    this.close()
  }

  /** Drops the waiting keys and accepts no more. */
  close(): void {
    this.#changes.unsubscribe()
    this.#queue.close()
  }

  async #serve(key: Key, signal: AbortSignal): Promise<void> {
    try {
      const requeueAfterMs = await this.#syncer.reconcile(key, signal)
      this.#queue.forget(key)
      if (requeueAfterMs !== undefined) this.#queue.addAfter(key, requeueAfterMs)
    } catch (error) {
      if (!signal.aborted) this.#retry(key, error)
    }
  }

  #retry(key: Key, error: unknown): void {
    const retryInMs = Math.round(this.#queue.retry(key))
    const fields = { key: formatKey(key), retryInMs, error }
    // A conflict only means that the store was not up to date.
    if (isConflict(error)) this.#logger.debug(fields, 'the object has changed; retrying')
    else this.#logger.error(fields, 'syncing failed; retrying')
  }
}
