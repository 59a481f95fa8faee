import type { MemoryUsage } from '../observe/memory.js'
import type { Clock } from '../time/clock.js'

/** After so many runs the process holds memory that it will not need again soon. */
const manyRuns = 1000
/** How long nothing must have run, in milliseconds, so that nobody waits while memory is given back. */
const restMs = 3000

/** Gives memory back when the plugin has come to rest after much work, its start above all. */
export class SpareMemory {
  readonly #giveBack: (() => void) | undefined
  readonly #clock: Clock
  #runs = 0
  #lastRunMs = 0
  #cancel: (() => void) | undefined
  #stopped = false

  constructor({ memory, clock }: { memory: MemoryUsage | undefined; clock: Clock }) {
    this.#giveBack = memory?.releaseUnused
    this.#clock = clock
  }

  /** A run has ended. */
  ran(): void {
    this.#runs++
    this.#lastRunMs = this.#clock.now()
    if (this.#runs === manyRuns && this.#giveBack && !this.#stopped) this.#lookIn(restMs)
  }

  /** Nothing is given back from now on. */
  stop(): void {
    this.#stopped = true
    this.#cancel?.()
  }

  #lookIn(delayMs: number): void {
    this.#cancel = this.#clock.schedule(delayMs, () => this.#look())
  }

  #look(): void {
    const restedMs = this.#clock.now() - this.#lastRunMs
    if (restedMs < restMs) {
      this.#lookIn(restMs - restedMs)
      return
    }
    this.#runs = 0
    this.#giveBack?.()
  }
}
