import type { Clock } from '../../sdk/time/clock.js'

/** A clock that stands still until a test moves it, and then lets everything due happen in order. */
export class VirtualClock implements Clock {
  #nowMs = 0
  readonly #startMs: number
  readonly #timers = new Set<{ atMs: number; callback: () => void }>()

  /** `start` is the wall clock's time at monotonic time 0. Default 2024-01-01T00:00:00Z. */
  constructor(start = new Date('2024-01-01T00:00:00Z')) {
    this.#startMs = start.getTime()
  }

  now(): number {
    return this.#nowMs
  }

  date(): Date {
    return new Date(this.#startMs + this.#nowMs)
  }

  schedule(delayMs: number, callback: () => void): () => void {
    const timer = { atMs: this.#nowMs + Math.max(delayMs, 0), callback }
    this.#timers.add(timer)
    return () => this.#timers.delete(timer)
  }

  /** How many timers wait: 0 once everything has stopped. */
  get pending(): number {
    return this.#timers.size
  }

  /** How long until the first of them goes off, in milliseconds; `Infinity` when none waits. */
  get dueInMs(): number {
    let atMs = Number.POSITIVE_INFINITY
    for (const timer of this.#timers) atMs = Math.min(atMs, timer.atMs)
    return atMs - this.#nowMs
  }

  /** Moves time on by `durationMs`, one timer after the other; between two, what the first set off comes to rest. */
  async advance(durationMs: number): Promise<void> {
    const endMs = this.#nowMs + durationMs
    await this.settle()
    for (let timer = this.#next(endMs); timer !== undefined; timer = this.#next(endMs)) {
      this.#timers.delete(timer)
      this.#nowMs = timer.atMs
      timer.callback()
      await this.settle()
    }
    this.#nowMs = endMs
  }

  /** Moves time on without running anything, as a stopped process sees it: timers are late afterwards. */
  jump(durationMs: number): void {
    this.#nowMs += durationMs
    for (const timer of this.#timers) timer.atMs = Math.max(timer.atMs, this.#nowMs)
  }

  /** Lets everything happen that needs no time: a turn of the event loop. */
  settle(): Promise<void> {
    return new Promise((resolve) => setImmediate(resolve))
  }

  #next(endMs: number) {
    const due = [...this.#timers].filter(({ atMs }) => atMs <= endMs)
    return due.sort((a, b) => a.atMs - b.atMs)[0]
  }
}
