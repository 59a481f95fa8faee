import type { Key } from '../kube/key.js'
import type { Clock } from '../time/clock.js'
import { KeyGroups } from './key-groups.js'
import { KeyLine } from './key-line.js'
import { NamespaceBudget } from './namespace-budget.js'
import { RunRateLimit } from './run-rate-limit.js'
import type { Priority, WaitingKey } from './waiting-key.js'
import type { WorkQueueOptions } from './work-queue-options.js'

/** Options of {@link Dispatcher}. */
export interface DispatcherOptions extends Pick<WorkQueueOptions, 'groupOf' | 'maxRunsPerSecond'> {
  clock: Clock
  /** See {@link WorkQueueOptions.workers}. */
  workers: number
  /** Called when a key that could not be served before may be served now. */
  onReady: () => void
}

/**
 * Holds the keys that wait for a worker, and decides which key is served next: the first in line whose namespace has a
 * worker left and whose group no other key holds. No key is served while the limit of runs per second is reached.
 */
export class Dispatcher {
  readonly #clock: Clock
  readonly #onReady: () => void
  readonly #line = new KeyLine()
  readonly #budget: NamespaceBudget
  readonly #groups: KeyGroups | undefined
  readonly #rate: RunRateLimit | undefined
  readonly #mayServe = (namespace: string) => this.#budget.allows(namespace)
  readonly #mayRun = (waiting: WaitingKey) => this.#groups?.enter(waiting) ?? true
  #cancelWait: (() => void) | undefined

  constructor({ clock, workers, groupOf, maxRunsPerSecond, onReady }: DispatcherOptions) {
    this.#clock = clock
    this.#onReady = onReady
    this.#budget = new NamespaceBudget(workers)
    this.#groups = groupOf && new KeyGroups({ groupOf, onTurn: (id) => this.#rejoin(id) })
    this.#rate =
      maxRunsPerSecond === undefined ? undefined : new RunRateLimit({ maxPerSecond: maxRunsPerSecond, clock })
  }

  /** The number of waiting keys. */
  get size(): number {
    return this.#line.size
  }

  /** The number of waiting keys of a priority. */
  sizeOf(priority: Priority): number {
    return this.#line.sizeOf(priority)
  }

  /** Whether a key waits; `id` is its `formatKey`. */
  has(id: string): boolean {
    return this.#line.has(id)
  }

  /** Adds a key. Returns whether it was not waiting before. */
  push(id: string, key: Key, priority: Priority): boolean {
    return this.#line.push(id, key, { priority, sinceMs: this.#clock.now() })
  }

  /** Takes the next key that may be served. It counts as served until {@link done}. */
  take(): WaitingKey | undefined {
    if (this.#line.size === 0 || this.#mustWait()) return undefined
    const next = this.#line.shift({
      mayServe: this.#mayServe,
      mayRun: this.#mayRun,
      nowMs: this.#clock.now(),
    })
    if (next === undefined) return undefined
    this.#rate?.recordStart()
    this.#budget.take(next.id, next.key)
    return next
  }

  /** Frees the worker of a key while it is still being served. */
  leave(id: string): void {
    this.#budget.release(id)
  }

  /** Ends the run of a key. */
  done(id: string): void {
    this.#groups?.leave(id)
    this.leave(id)
  }

  /** Drops the waiting keys. */
  clear(): void {
    this.#cancelWait?.()
    this.#line.clear()
    this.#groups?.clear()
  }

  /** Puts a key back into the line when its turn in its group has come. */
  #rejoin(id: string): void {
    this.#line.rejoin(id)
    // A turn may also come while another key is taken, whose group has changed; other workers wait then.
    queueMicrotask(this.#onReady)
  }

  /** Whether the limit of runs per second is reached. If so, `onReady` is called when the next run may begin. */
  #mustWait(): boolean {
    const waitMs = this.#rate?.waitMs ?? 0
    if (waitMs === 0) return false
    this.#cancelWait ??= this.#clock.schedule(waitMs, () => {
      this.#cancelWait = undefined
      this.#onReady()
    })
    return true
  }
}
