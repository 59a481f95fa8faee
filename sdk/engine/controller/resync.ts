import type { Key } from '../kube/key.js'
import type { WorkQueue } from '../queue/work-queue.js'
import type { Clock } from '../time/clock.js'
import { withJitter } from '../time/jitter.js'
import { TimeSlice } from '../time/time-slice.js'

/** Options of {@link Resync}. */
export interface ResyncOptions {
  /** The keys that the caches know. */
  knownKeys: () => Iterable<Key>
  queue: WorkQueue
  clock: Clock
  /** Ends the resync. */
  stop: AbortSignal
}

/**
 * Enqueues every known key, in time slices: mapping many objects to keys takes long, and must not block the event loop.
 */
export class Resync {
  readonly #options: ResyncOptions
  readonly #slice: TimeSlice
  #rounds = 0

  constructor(options: ResyncOptions) {
    this.#options = options
    this.#slice = new TimeSlice(options.clock)
  }

  /** Whether keys are still being enqueued. */
  get isRunning(): boolean {
    return this.#rounds > 0
  }

  /**
   * Enqueues in the background every key that the caches know now and that passes `filter`; before them `first`, the
   * keys of objects that the caches may not know.
   */
  enqueueAll(filter: (key: Key) => boolean, first: Iterable<Key> = []): void {
    this.#rounds++
    void this.#enqueue([first, this.#options.knownKeys()], filter).finally(() => this.#rounds--)
  }

  /**
   * Enqueues in the background every key that passes `filter`, every `everyMs` milliseconds, plus or minus 10 %, so
   * that replicas and controllers do not resync at the same time.
   */
  repeat(everyMs: number, filter: (key: Key) => boolean): void {
    const { clock, stop } = this.#options
    const schedule = (): (() => void) =>
      clock.schedule(withJitter(everyMs), () => {
        this.enqueueAll(filter)
        cancel = schedule()
      })
    let cancel = schedule()
    stop.addEventListener('abort', () => cancel(), { once: true })
  }

  async #enqueue(parts: readonly Iterable<Key>[], filter: (key: Key) => boolean): Promise<void> {
    const { queue, stop } = this.#options
    for (const keys of parts)
      for (const key of keys) {
        if (this.#slice.isOver) await this.#slice.pause()
        if (stop.aborted) return
        if (filter(key)) queue.add(key, 'background')
      }
  }
}
