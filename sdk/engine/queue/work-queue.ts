/**
 * Work queue of keys. A key is in the queue once, however often it is enqueued. One worker at a time serves a key; a
 * key that is enqueued meanwhile runs exactly once more. Failed keys are retried with exponential backoff and do not
 * block other keys.
 *
 * It is a plain data structure with the semantics of client-go's workqueue (sets of dirty and of processing keys).
 * `run-workers.ts` runs the workers. `Dispatcher` decides which key is served next.
 */
import { formatKey, type Key } from '../kube/key.js'
import { noMetrics } from '../observe/metrics.js'
import { backoffMs } from '../time/backoff.js'
import { type Clock, systemClock } from '../time/clock.js'
import { DelayedKeys } from './delayed-keys.js'
import { Dispatcher } from './dispatcher.js'
import type { KeyState } from './key-state.js'
import { QueueMetrics } from './queue-metrics.js'
import type { Priority } from './waiting-key.js'
import { WaitingWorkers } from './waiting-workers.js'
import type { WorkQueueOptions } from './work-queue-options.js'

/** Work queue of keys. `ControllerLoop` adds keys and ends runs; `runWorkers` takes keys. */
export class WorkQueue {
  readonly #clock: Clock
  readonly #metrics: QueueMetrics
  readonly #retryDelayMs: (failures: number, limitMs: number) => number
  readonly #waiting: Dispatcher
  /** The keys that are being served, and the start times of their runs. */
  readonly #running = new Map<string, number>()
  /** The keys that were enqueued while being served, and their priority. */
  readonly #enqueuedAgain = new Map<string, Priority>()
  readonly #delayed: DelayedKeys
  readonly #failures = new Map<string, number>()
  /** The resting keys, and whether each was enqueued while it rests. */
  readonly #resting = new Map<string, boolean>()
  readonly #workers = new WaitingWorkers()
  #closed = false

  constructor({
    name = '',
    clock = systemClock,
    metrics = noMetrics,
    random = Math.random,
    retryBaseMs = 5,
    retryMaxMs = 1_000_000,
    workers = Number.POSITIVE_INFINITY,
    ...limits
  }: WorkQueueOptions = {}) {
    this.#clock = clock
    this.#delayed = new DelayedKeys(clock)
    this.#waiting = new Dispatcher({ ...limits, clock, workers, onReady: () => this.#serveWaiters() })
    this.#metrics = new QueueMetrics({
      name,
      metrics,
      clock,
      depthOf: (priority) => this.#waiting.sizeOf(priority),
      startedMs: () => this.#running.values(),
    })
    this.#retryDelayMs = (failures, limitMs) =>
      backoffMs(failures, { baseMs: retryBaseMs, maxMs: Math.min(retryMaxMs, limitMs), random })
  }

  /** The number of keys that wait for a worker, without those being served and those with a delay. */
  get size(): number {
    return this.#waiting.size
  }

  /** The number of waiting keys with background priority, which no change has enqueued. */
  get background(): number {
    return this.#waiting.sizeOf('background')
  }

  /** The number of keys that are being served. */
  get running(): number {
    return this.#running.size
  }

  /** The number of keys with a delay. */
  get delayed(): number {
    return this.#delayed.size
  }

  /** The time until the first delay ends, in milliseconds; `Infinity` without delays. */
  get dueInMs(): number {
    return this.#delayed.dueInMs
  }

  /** The age of the oldest run, in milliseconds; 0 if there is none. */
  get oldestRunMs(): number {
    const [startedMs = this.#clock.now()] = this.#running.values()
    return this.#clock.now() - startedMs
  }

  /**
   * Enqueues a key: it is served soon, and once more if it is being served now. Keys with background priority wait
   * behind those of changes.
   */
  add(key: Key, priority: Priority = 'live'): void {
    const id = formatKey(key)
    if (this.#closed || this.#isResting(id)) return
    const isNew = this.#running.has(id)
      ? this.#enqueueAgain(id, priority)
      : this.#waiting.push(id, key, priority)
    if (!isNew) return
    this.#metrics.recordAdd()
    this.#serveWaiters()
  }

  /**
   * Enqueues a key after `delayMs` milliseconds. If a key has several delays, the one that ends first counts. When a
   * worker takes the key, for any reason, its delay ends; after that, only a delay that the run requests counts.
   */
  addAfter(key: Key, delayMs: number): void {
    if (delayMs <= 0) this.add(key)
    if (delayMs <= 0 || this.#closed) return
    const id = formatKey(key)
    if (!this.#isResting(id)) this.#delayed.add(id, delayMs, () => this.add(key))
  }

  /**
   * Enqueues a failed key after a delay that grows with its failures in a row, up to `limitMs` or the queue's own upper
   * bound. Returns that delay in milliseconds.
   */
  retry(key: Key, limitMs = Number.POSITIVE_INFINITY): number {
    const failures = this.failures(key)
    this.#failures.set(formatKey(key), failures + 1)
    const delayMs = this.#retryDelayMs(failures, limitMs)
    this.#metrics.recordRetry()
    this.addAfter(key, delayMs)
    return delayMs
  }

  /**
   * Does not serve a key for `minMs` milliseconds, even if it is enqueued. After that, serves the key if it was
   * enqueued meanwhile, else after `maxMs` milliseconds.
   */
  rest(key: Key, { minMs, maxMs }: { minMs: number; maxMs: number }): void {
    if (this.#closed) return
    const id = formatKey(key)
    this.#enqueuedAgain.delete(id)
    this.#resting.set(id, false)
    this.#delayed.replace(id, minMs, () => {
      const wasEnqueued = this.#resting.get(id)
      this.#resting.delete(id)
      this.addAfter(key, wasEnqueued ? 0 : maxMs - minMs)
    })
  }

  /** Serves a key soon although it rests. */
  wake(key: Key): void {
    const id = formatKey(key)
    if (this.#resting.delete(id)) this.#delayed.drop(id)
    this.add(key)
  }

  /** Whether the key is being served. */
  isRunning(key: Key): boolean {
    return this.#running.has(formatKey(key))
  }

  /** The number of retries of a key since {@link forget}. */
  failures(key: Key): number {
    return this.#failures.get(formatKey(key)) ?? 0
  }

  /** The state of a key. */
  stateOf(key: Key): KeyState {
    const id = formatKey(key)
    return {
      isWaiting: this.#waiting.has(id) || this.#enqueuedAgain.has(id),
      isRunning: this.#running.has(id),
      dueInMs: this.#delayed.dueInMsOf(id),
      failures: this.failures(key),
    }
  }

  /** Resets the failures of a key. The key stays in the queue. */
  forget(key: Key): void {
    this.#failures.delete(formatKey(key))
  }

  /**
   * Resolves with the next key to serve, as soon as there is one; call {@link done} when it is served. Resolves with
   * `undefined` when the queue is closed or the signal aborts.
   */
  next(signal?: AbortSignal): Promise<Key | undefined> {
    if (this.#closed || signal?.aborted) return Promise.resolve(undefined)
    const key = this.#take()
    if (key) return Promise.resolve(key)
    return this.#workers.wait(signal)
  }

  /** Ends the run of a key. */
  done(key: Key): void {
    const id = formatKey(key)
    const startedMs = this.#running.get(id)
    if (startedMs === undefined) return
    this.#running.delete(id)
    this.#metrics.recordDone(startedMs)
    const enqueuedAgain = this.#enqueuedAgain.get(id)
    this.#enqueuedAgain.delete(id)
    if (enqueuedAgain !== undefined && !this.#closed) this.#waiting.push(id, key, enqueuedAgain)
    this.#waiting.done(id)
    this.#serveWaiters()
  }

  /** Frees the worker of a key while the key is still being served. */
  leave(key: Key): void {
    this.#waiting.leave(formatKey(key))
    this.#serveWaiters()
  }

  /**
   * Accepts no more keys and drops the waiting keys, because the next start of the program finds the same work again.
   * Keys that are being served are finished.
   */
  close(): void {
    this.#closed = true
    this.#waiting.clear()
    this.#enqueuedAgain.clear()
    this.#delayed.clear()
    this.#resting.clear()
    this.#workers.close()
  }

  /** Whether a key rests; if so, it is served when its rest ends. */
  #isResting(id: string): boolean {
    if (!this.#resting.has(id)) return false
    this.#resting.set(id, true)
    return true
  }

  #enqueueAgain(id: string, priority: Priority): boolean {
    const priorityBefore = this.#enqueuedAgain.get(id)
    if (priorityBefore !== 'live') this.#enqueuedAgain.set(id, priority)
    return priorityBefore === undefined
  }

  #serveWaiters(): void {
    this.#workers.serve(this.#take)
  }

  readonly #take = (): Key | undefined => {
    const waiting = this.#waiting.take()
    if (waiting === undefined) return undefined
    this.#delayed.drop(waiting.id)
    this.#running.set(waiting.id, this.#clock.now())
    this.#metrics.recordTaken(waiting.sinceMs)
    return waiting.key
  }
}
