import type { Clock } from '../time/clock.js'

/** Options of {@link Rounds}. */
export interface RoundsOptions {
  clock: Clock
  /** The work of one round; it must not reject. */
  work: () => Promise<void>
  /** The pause after a round, in milliseconds. */
  pauseMs: () => number
}

/** Repeats some work, one round at a time: after a pause, or at once on request. */
export class Rounds {
  readonly #options: RoundsOptions
  #current: Promise<void> = Promise.resolve()
  #hurried = false
  #isOver = false
  #cancel = () => {}

  constructor(options: RoundsOptions) {
    this.#options = options
  }

  start(): void {
    this.#current = this.#make()
  }

  /** Starts the next round at once, or right after the round in progress. */
  hurry(): void {
    this.#hurried = true
    this.#schedule(0)
  }

  /** Starts no further round. Resolves when the round in progress has ended. */
  end(): Promise<void> {
    this.#isOver = true
    this.#cancel()
    return this.#current
  }

  #schedule(delayMs: number): void {
    this.#cancel()
    this.#cancel = this.#options.clock.schedule(delayMs, () => this.#next())
  }

  #next(): void {
    this.#current = this.#current.then(() => (this.#isOver ? undefined : this.#make()))
  }

  async #make(): Promise<void> {
    this.#cancel()
    this.#hurried = false
    await this.#options.work()
    if (!this.#isOver && !this.#hurried) this.#schedule(this.#options.pauseMs())
  }
}
