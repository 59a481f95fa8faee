import type { Clock } from '../time/clock.js'
import type { WindowView } from './model.js'

/** How much time one window covers, in milliseconds. */
export const windowMs = 5000
const windowCount = 60

/**
 * Classes of lag: each is a quarter wider than the one before, from a tenth of a millisecond to about three minutes.
 */
const classCount = 64
const growth = Math.log(1.25)
const smallestMs = 0.1

interface Window {
  startMs: number
  runs: number
  failures: number
  waiting: number
  lags: Uint32Array
}

/** Runs and their lag over the last five minutes, in a fixed amount of memory; a quantile is right to a quarter. */
export class LagWindows {
  readonly #clock: Clock
  readonly #windows: Window[] = []

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** A run ended while `waiting` keys waited; `lagMs` if a change enqueued it. */
  add(failed: boolean, lagMs: number | undefined, waiting = 0): void {
    const window = this.#current()
    window.runs++
    if (failed) window.failures++
    window.waiting = Math.max(window.waiting, waiting)
    if (lagMs !== undefined) window.lags[classOf(lagMs)] = (window.lags[classOf(lagMs)] ?? 0) + 1
  }

  /** The last five minutes, those windows left out in which nothing happened. */
  windows(): WindowView[] {
    return this.#recent(windowMs * windowCount).map(({ startMs, runs, failures, waiting, lags }) => ({
      startMs,
      runs,
      failures,
      waiting,
      p50Ms: quantile([lags], 0.5),
      p99Ms: quantile([lags], 0.99),
    }))
  }

  /** The lag below which that share of the last five minutes' runs was. */
  quantileMs(share: number): number | null {
    const lags = this.#recent(windowMs * windowCount).map((window) => window.lags)
    return quantile(lags, share)
  }

  /** Runs a second in the window of now and the one before. */
  get perSecond(): number {
    const nowMs = this.#clock.date().getTime()
    const recent = this.#recent(2 * windowMs)
    const runs = recent.reduce((sum, one) => sum + one.runs, 0)
    const elapsedMs = nowMs - startOf(nowMs) + windowMs
    return (runs * 1000) / elapsedMs
  }

  #current(): Window {
    const startMs = startOf(this.#clock.date().getTime())
    const latest = this.#windows.at(-1)
    if (latest && latest.startMs >= startMs) return latest
    const recycled = this.#windows.length === windowCount ? this.#windows.shift() : undefined
    const lags = recycled?.lags.fill(0) ?? new Uint32Array(classCount)
    const window = { startMs, runs: 0, failures: 0, waiting: 0, lags }
    this.#windows.push(window)
    return window
  }

  #recent(spanMs: number): Window[] {
    const sinceMs = startOf(this.#clock.date().getTime()) - spanMs
    return this.#windows.filter(({ startMs }) => startMs > sinceMs)
  }
}

const startOf = (atMs: number) => Math.floor(atMs / windowMs) * windowMs

function classOf(lagMs: number): number {
  if (lagMs <= smallestMs) return 0
  return Math.min(classCount - 1, Math.ceil(Math.log(lagMs / smallestMs) / growth))
}

/** The upper end of the class that the quantile falls into. */
function quantile(many: readonly Uint32Array[], share: number): number | null {
  const total = many.reduce((sum, lags) => sum + lags.reduce((a, b) => a + b, 0), 0)
  if (total === 0) return null
  let left = Math.ceil(total * share)
  for (let classNumber = 0; classNumber < classCount; classNumber++) {
    for (const lags of many) left -= lags[classNumber] ?? 0
    if (left <= 0) return Number((smallestMs * Math.exp(classNumber * growth)).toPrecision(3))
  }
  return null
}
