import type { Key } from '../kube/key.js'
import type { WorkQueue } from '../queue/work-queue.js'
import type { Course } from '../syncer/reconcile/course.js'
import type { Clock } from '../time/clock.js'
import { TimeSlice } from '../time/time-slice.js'

/** What a {@link Ringer} works with. */
export interface RingerOptions {
  course: Course
  queue: WorkQueue
  clock: Clock
  /** Ends the ringing. */
  stop: AbortSignal
}

/** Rings every key that is known, in slices: naming the sources of many copies takes long, and others wait meanwhile. */
export class Ringer {
  readonly #options: RingerOptions
  readonly #slice: TimeSlice
  #rounds = 0

  constructor(options: RingerOptions) {
    this.#options = options
    this.#slice = new TimeSlice(options.clock)
  }

  /** Whether keys are left to ring. */
  get isRinging(): boolean {
    return this.#rounds > 0
  }

  /** Rings in the background every key that the stores know of now and that is `among` those to ring. */
  ringAll(among: (key: Key) => boolean): void {
    this.#rounds++
    void this.#ringIn(this.#options.course.knownKeys(), among).finally(() => this.#rounds--)
  }

  async #ringIn(keys: Iterable<Key>, among: (key: Key) => boolean): Promise<void> {
    const { queue, stop } = this.#options
    for (const key of keys) {
      if (this.#slice.isOver) await this.#slice.pause()
      if (stop.aborted) return
      if (among(key)) queue.add(key, 'background')
    }
  }
}
