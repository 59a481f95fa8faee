import type { MemoryUsage } from '../observe/memory.js'
import type { Clock } from '../time/clock.js'

/** The number of runs after which the process holds memory that it does not need soon. */
const manyRuns = 1000
/** How long the program must have been idle, in milliseconds, so that the collection delays no run. */
const idleMs = 3000

/** Collects garbage when the program has become idle after many runs, such as those of its start. */
export class IdleCollector {
  readonly #collect: (() => void) | undefined
  readonly #clock: Clock
  #runs = 0
  #lastRunMs = 0
  #cancel: (() => void) | undefined
  #stopped = false

  constructor({ memory, clock }: { memory: MemoryUsage | undefined; clock: Clock }) {
    this.#collect = memory?.releaseUnused
    this.#clock = clock
  }

  /** Records that a run has ended. */
  recordRun(): void {
    this.#runs++
    this.#lastRunMs = this.#clock.now()
    if (this.#runs === manyRuns && this.#collect && !this.#stopped) this.#checkIn(idleMs)
  }

  /** Collects nothing from now on. */
  stop(): void {
    this.#stopped = true
    this.#cancel?.()
  }

  #checkIn(delayMs: number): void {
    this.#cancel = this.#clock.schedule(delayMs, () => this.#check())
  }

  #check(): void {
    const restedMs = this.#clock.now() - this.#lastRunMs
    if (restedMs < idleMs) {
      this.#checkIn(idleMs - restedMs)
      return
    }
    this.#runs = 0
    this.#collect?.()
  }
}
