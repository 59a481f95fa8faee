import type { Clock } from '../../sdk/engine/time/clock.js'

const dayMs = 86_400_000
/** Kubernetes writes times without a fraction of a second, so one may be up to a second before the start of a run. */
const roundingMs = 1000
const timePattern = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g

/** The wall clock of real API servers. */
const wallClock: Pick<Clock, 'date'> = { date: () => new Date() }

/**
 * Recognises the times of one run, which differ between runs, for example when a program writes its start time. These
 * times are between the start of the run and a day after its end, by the clock of the run or by that of the machine. A
 * time that a user wrote into a `spec` is usually outside that range, and is compared.
 */
export class RunTimes {
  readonly #clocks: readonly { readonly clock: Pick<Clock, 'date'>; readonly startMs: number }[]

  /** Records the present time as the start of the run. */
  constructor(clock: Pick<Clock, 'date'>) {
    this.#clocks = [clock, wallClock].map((source) => ({
      clock: source,
      startMs: source.date().getTime() - roundingMs,
    }))
  }

  /** Replaces all times of the run in a text by the same placeholder. */
  mask(text: string): string {
    return text.replaceAll(timePattern, (time) => (this.#contains(Date.parse(time)) ? 'some time' : time))
  }

  #contains(ms: number): boolean {
    return this.#clocks.some(({ clock, startMs }) => ms >= startMs && ms <= clock.date().getTime() + dayMs)
  }
}
