/**
 * Keys that wait for work. A key is in the queue once however often it is rung, is served by one worker at a
 * time, and when it is rung while it is served it comes back exactly once. Failed keys come back after a
 * delay of their own and nobody waits with them.
 *
 * It is a plain data structure with the semantics of client-go's workqueue (sets of dirty and of processing
 * keys); `run-workers.ts` does the work. Which key is next is decided in `KeyLine` alone.
 */
import { formatKey, type Key } from '../kube/key.js'
import { type Metrics, noMetrics } from '../observe/metrics.js'
import { backoffMs } from '../time/backoff.js'
import { type Clock, systemClock } from '../time/clock.js'
import { KeyLine } from './key-line.js'
import { NamespaceBudget } from './namespace-budget.js'
import { QueueMetrics } from './queue-metrics.js'
import type { Priority } from './waiting-key.js'

/** Options of {@link WorkQueue}. */
export interface WorkQueueOptions {
  /** The label `name` of the queue's metrics; default none. */
  name?: string
  /** Default the machine's clock. */
  clock?: Clock
  /** Default none. */
  metrics?: Metrics
  /** Spreads retries, a number from 0 up to 1; default `Math.random`. */
  random?: () => number
  /** The ceiling of a key's first retry delay in milliseconds, doubling with each failure; default 5. */
  retryBaseMs?: number
  /** The ceiling of every retry delay in milliseconds; default 1,000,000. */
  retryMaxMs?: number
  /** How many keys are served at a time, of which one namespace gets its share at most; default as many as are asked for. */
  workers?: number
}

interface Delayed {
  readonly dueMs: number
  readonly cancel: () => void
}

/** How a key stands in a {@link WorkQueue}. */
export interface KeyStanding {
  /** Whether it waits for a worker, also to be served once more after the run under way. */
  readonly isWaiting: boolean
  readonly isRunning: boolean
  /** How long until its delay ends, in milliseconds; undefined where it has none. */
  readonly dueInMs: number | undefined
  /** How often it was retried in a row. */
  readonly failures: number
}

type Waiter = (key: Key | undefined) => void

/** Keys waiting for work; see above. */
export class WorkQueue {
  readonly #clock: Clock
  readonly #metrics: QueueMetrics
  readonly #retryDelayMs: (failures: number, mostMs: number) => number
  readonly #line = new KeyLine()
  readonly #budget: NamespaceBudget
  readonly #mayServe = (namespace: string) => this.#budget.allows(namespace)
  /** Keys being served, and since when. */
  readonly #running = new Map<string, number>()
  /** Keys that were rung while being served, and how. */
  readonly #rungAgain = new Map<string, Priority>()
  readonly #delayed = new Map<string, Delayed>()
  readonly #failures = new Map<string, number>()
  /** Keys that nothing rings until their rest is over, and whether something tried to. */
  readonly #resting = new Map<string, boolean>()
  readonly #waiters = new Set<Waiter>()
  #closed = false

  constructor({
    name = '',
    clock = systemClock,
    metrics = noMetrics,
    random = Math.random,
    retryBaseMs = 5,
    retryMaxMs = 1_000_000,
    workers = Number.POSITIVE_INFINITY,
  }: WorkQueueOptions = {}) {
    this.#clock = clock
    this.#budget = new NamespaceBudget(workers)
    this.#metrics = new QueueMetrics({
      name,
      metrics,
      clock,
      depthOf: (priority) => this.#line.sizeOf(priority),
      startedMs: () => this.#running.values(),
    })
    this.#retryDelayMs = (failures, mostMs) =>
      backoffMs(failures, { baseMs: retryBaseMs, maxMs: Math.min(retryMaxMs, mostMs), random })
  }

  /** How many keys wait for a worker; not those being served, nor those whose delay has not ended. */
  get size(): number {
    return this.#line.size
  }

  /** How many of them wait in the background, because no change has rung them. */
  get background(): number {
    return this.#line.sizeOf('background')
  }

  /** How many keys are being served. */
  get running(): number {
    return this.#running.size
  }

  /** How many keys wait for a delay to end. */
  get delayed(): number {
    return this.#delayed.size
  }

  /** How long until the first of them ends, in milliseconds; `Infinity` when none waits. */
  get dueInMs(): number {
    let dueMs = Number.POSITIVE_INFINITY
    for (const delayed of this.#delayed.values()) dueMs = Math.min(dueMs, delayed.dueMs)
    return dueMs - this.#clock.now()
  }

  /** How long the oldest run has been under way, in milliseconds; 0 when there is none. */
  get oldestRunMs(): number {
    const [startedMs = this.#clock.now()] = this.#running.values()
    return this.#clock.now() - startedMs
  }

  /**
   * Rings a key: it is served soon, and once more if it is being served now. Keys rung in the background wait
   * behind those of changes.
   */
  add(key: Key, priority: Priority = 'live'): void {
    const id = formatKey(key)
    if (this.#closed || this.#isResting(id)) return
    const joined = this.#running.has(id) ? this.#ringAgain(id, priority) : this.#join(id, key, priority)
    if (!joined) return
    this.#metrics.added()
    this.#serveWaiters()
  }

  /** Rings a key after `delayMs` milliseconds. Of several delays of one key the earliest end counts. */
  addAfter(key: Key, delayMs: number): void {
    if (delayMs <= 0) this.add(key)
    if (delayMs <= 0 || this.#closed) return
    const id = formatKey(key)
    if (this.#isResting(id)) return
    const dueMs = this.#clock.now() + delayMs
    const earlier = this.#delayed.get(id)
    if (earlier !== undefined && earlier.dueMs <= dueMs) return
    earlier?.cancel()
    const ring = () => {
      this.#delayed.delete(id)
      this.add(key)
    }
    this.#delayed.set(id, { dueMs, cancel: this.#clock.schedule(delayMs, ring) })
  }

  /**
   * Rings a key that failed after a delay that grows with its failures in a row, up to `mostMs` where that is less than
   * the queue's own ceiling; returns that delay in milliseconds.
   */
  retry(key: Key, mostMs = Number.POSITIVE_INFINITY): number {
    const failures = this.failures(key)
    this.#failures.set(formatKey(key), failures + 1)
    const delayMs = this.#retryDelayMs(failures, mostMs)
    this.#metrics.retried()
    this.addAfter(key, delayMs)
    return delayMs
  }

  /**
   * Lets a key rest for `leastMs` milliseconds, whatever rings it meanwhile, and serves it then if something did; else
   * after `mostMs`.
   */
  rest(key: Key, { leastMs, mostMs }: { leastMs: number; mostMs: number }): void {
    if (this.#closed) return
    const id = formatKey(key)
    this.#delayed.get(id)?.cancel()
    this.#rungAgain.delete(id)
    this.#resting.set(id, false)
    const wake = () => {
      const wasRung = this.#resting.get(id)
      this.#resting.delete(id)
      this.#delayed.delete(id)
      this.addAfter(key, wasRung ? 0 : mostMs - leastMs)
    }
    this.#delayed.set(id, { dueMs: this.#clock.now() + leastMs, cancel: this.#clock.schedule(leastMs, wake) })
  }

  /** How often a key was retried since it was last forgotten. */
  failures(key: Key): number {
    return this.#failures.get(formatKey(key)) ?? 0
  }

  /** How a key stands. */
  standingOf(key: Key): KeyStanding {
    const id = formatKey(key)
    const delayed = this.#delayed.get(id)
    return {
      isWaiting: this.#line.has(id) || this.#rungAgain.has(id),
      isRunning: this.#running.has(id),
      dueInMs: delayed && Math.max(0, delayed.dueMs - this.#clock.now()),
      failures: this.failures(key),
    }
  }

  /** Ends a key's row of failures. It does not take the key out of the queue. */
  forget(key: Key): void {
    this.#failures.delete(formatKey(key))
  }

  /**
   * The next key to serve, as soon as there is one; call {@link done} when it is served. Resolves with
   * `undefined` once the queue is closed or the signal aborts.
   */
  next(signal?: AbortSignal): Promise<Key | undefined> {
    if (this.#closed || signal?.aborted) return Promise.resolve(undefined)
    const key = this.#take()
    if (key) return Promise.resolve(key)
    return new Promise((resolve) => {
      const onAbort = () => waiter(undefined)
      const waiter: Waiter = (key) => {
        this.#waiters.delete(waiter)
        signal?.removeEventListener('abort', onAbort)
        resolve(key)
      }
      this.#waiters.add(waiter)
      signal?.addEventListener('abort', onAbort, { once: true })
    })
  }

  /** The key was served. */
  done(key: Key): void {
    const id = formatKey(key)
    const startedMs = this.#running.get(id)
    if (startedMs === undefined) return
    this.#running.delete(id)
    this.#metrics.done(startedMs)
    const rungAgain = this.#rungAgain.get(id)
    this.#rungAgain.delete(id)
    if (rungAgain !== undefined && !this.#closed) this.#join(id, key, rungAgain)
    this.leave(key)
  }

  /** The key's worker no longer waits for its run, and is free for another; the key is still being served. */
  leave(key: Key): void {
    this.#budget.release(formatKey(key))
    this.#serveWaiters()
  }

  /**
   * Takes no more keys and drops those that wait: a key only says where to look, so the next start finds the
   * same work again. Keys being served are served to their end.
   */
  close(): void {
    this.#closed = true
    this.#line.clear()
    this.#rungAgain.clear()
    for (const { cancel } of this.#delayed.values()) cancel()
    this.#delayed.clear()
    this.#resting.clear()
    for (const waiter of this.#waiters) waiter(undefined)
  }

  /** Whether a key rests; if so it is served as soon as it may. */
  #isResting(id: string): boolean {
    if (!this.#resting.has(id)) return false
    this.#resting.set(id, true)
    return true
  }

  #join(id: string, key: Key, priority: Priority): boolean {
    return this.#line.push(id, key, { priority, sinceMs: this.#clock.now() })
  }

  #ringAgain(id: string, priority: Priority): boolean {
    const known = this.#rungAgain.get(id)
    if (known !== 'live') this.#rungAgain.set(id, priority)
    return known === undefined
  }

  #serveWaiters(): void {
    for (const waiter of this.#waiters) {
      const key = this.#take()
      if (key === undefined) return
      waiter(key)
    }
  }

  #take(): Key | undefined {
    const waiting = this.#line.shift(this.#mayServe)
    if (waiting === undefined) return undefined
    this.#budget.take(waiting.id, waiting.key)
    this.#running.set(waiting.id, this.#clock.now())
    this.#metrics.taken(waiting.sinceMs)
    return waiting.key
  }
}
