import type { Clock } from '../../sdk/engine/time/clock.js'

/**
 * A clock for tests. Time passes only when the test calls `advance` or `jump`, and timers run in the order in which
 * they are due.
 *
 * @example
 * ```ts
 * const clock = new VirtualClock()
 * let retries = 0
 * clock.schedule(30_000, () => retries++)
 * await clock.advance(30_000)
 * console.log(retries, clock.pending) // 1 0
 * ```
 */
export class VirtualClock implements Clock {
  #nowMs = 0
  readonly #startMs: number
  readonly #timers = new Set<{ atMs: number; callback: () => void }>()

  /** `start` is the wall-clock time at monotonic time 0. Default 2024-01-01T00:00:00Z. */
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

  /** The number of scheduled timers. It is 0 once everything has stopped. */
  get pending(): number {
    return this.#timers.size
  }

  /** Milliseconds until the next timer is due; `Infinity` without timers. */
  get dueInMs(): number {
    let atMs = Number.POSITIVE_INFINITY
    for (const timer of this.#timers) atMs = Math.min(atMs, timer.atMs)
    return atMs - this.#nowMs
  }

  /** Advances time by `durationMs` and runs due timers one by one, with a {@link settle} after each. */
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

  /** Advances time without running timers, as a suspended process sees it. Timers that were due run late. */
  jump(durationMs: number): void {
    this.#nowMs += durationMs
    for (const timer of this.#timers) timer.atMs = Math.max(timer.atMs, this.#nowMs)
  }

  /** Waits for one turn of the event loop, in which work that needs no time can run. */
  settle(): Promise<void> {
    return new Promise((resolve) => setImmediate(resolve))
  }

  #next(endMs: number) {
    const due = [...this.#timers].filter(({ atMs }) => atMs <= endMs)
    return due.sort((a, b) => a.atMs - b.atMs)[0]
  }
}
