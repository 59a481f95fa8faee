/** The server's source of time, which tests can replace by virtual time. */
export interface ServerClock {
  /** The wall clock: for the timestamps in objects. */
  date(): Date
  /** Calls back once after `delayMs`; the function it returns cancels. */
  schedule(delayMs: number, callback: () => void): () => void
}

/** The longest delay of `setTimeout`, in milliseconds; a longer delay would end at once. */
const maxTimerMs = 2 ** 31 - 1

/** The machine's own clock. */
export const machineClock: ServerClock = {
  date: () => new Date(),
  schedule(delayMs, callback) {
    let timer: NodeJS.Timeout
    const wait = (restMs: number) => {
      const onTime = restMs > maxTimerMs ? () => wait(restMs - maxTimerMs) : callback
      timer = setTimeout(onTime, Math.min(restMs, maxTimerMs))
    }
    wait(delayMs)
    return () => clearTimeout(timer)
  },
}

/** A time as `metav1.Time` writes it: UTC, whole seconds. */
export function formatTime(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`
}
