import type { ErrorReport } from './error-report.js'

/** The maximum number of remembered errors; above it, the error that was not seen for longest is forgotten. */
const maxErrors = 200

/** Counts repeats of an error, so that it is shown once. Two errors are the same if message and place are equal. */
export class ErrorFold {
  readonly #times = new Map<string, number>()

  /** Records an error and returns how often it has occurred so far: 1 for a new error. */
  add(report: ErrorReport, about = ''): number {
    const id = `${about}\n${errorId(report)}`
    const times = (this.#times.get(id) ?? 0) + 1
    this.#times.delete(id)
    this.#times.set(id, times)
    const [oldest] = this.#times.keys()
    if (this.#times.size > maxErrors && oldest !== undefined) this.#times.delete(oldest)
    return times
  }

  /** Forgets every error, because the program restarts. */
  clear(): void {
    this.#times.clear()
  }
}

/** The identity of an error: errors with equal identity count as one error. */
export const errorId = ({ message, frames }: ErrorReport): string => `${message}\n${frames[0] ?? ''}`

/** Whether a repeated error is worth a line: the first time, and then the 10th, the 100th and so on. */
export function isWorthShowing(times: number): boolean {
  return /^10*$/.test(String(times))
}
