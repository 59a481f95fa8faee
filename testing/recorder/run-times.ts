import type { Clock } from '../../sdk/engine/time/clock.js'

const dayMs = 86_400_000
/** Kubernetes writes times without a fraction of a second, so one may be up to a second before the start of a run. */
const roundingMs = 1000
const timePattern = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g

/** The wall clock of real API servers. */
const wallClock: Pick<Clock, 'date'> = { date: () => new Date() }

/**
 * The times of one run: a program that writes when it started or when it looks again writes another time in each run,
 * most of all after a leader change. They are between the start of the run and a day after its end, by the clock of the
 * run or by that of the machine. A time that a user wrote into a `spec` is usually another one, and is compared.
 */
export class RunTimes {
  readonly #clocks: readonly { readonly clock: Pick<Clock, 'date'>; readonly startMs: number }[]

  /** The run starts now. */
  constructor(clock: Pick<Clock, 'date'>) {
    this.#clocks = [clock, wallClock].map((one) => ({
      clock: one,
      startMs: one.date().getTime() - roundingMs,
    }))
  }

  /** A text in which all times of the run are alike. */
  masked(text: string): string {
    return text.replaceAll(timePattern, (time) => (this.#contains(Date.parse(time)) ? 'some time' : time))
  }

  #contains(ms: number): boolean {
    return this.#clocks.some(({ clock, startMs }) => ms >= startMs && ms <= clock.date().getTime() + dayMs)
  }
}
