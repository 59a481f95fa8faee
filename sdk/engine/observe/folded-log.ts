import { ErrorFold, isWorthShowing } from './error-fold.js'
import { errorReport } from './error-report.js'
import { logText } from './log-text.js'
import type { LogFields } from './logger.js'
import type { OwnFramesOptions } from './own-frames.js'

/** Options of {@link FoldedLog}. */
export interface FoldedLogOptions extends OwnFramesOptions {
  /** Whether a repeated error is shown each time; default false. */
  showsRepeats?: boolean
}

/**
 * Makes the lines to show for a log line. An error is shown once: the first time with the frames of the plugin's own
 * code below it, then as a count at the 10th, the 100th time and so on. A folded error has no lines.
 */
export class FoldedLog {
  readonly #fold = new ErrorFold()
  readonly #places = new ErrorFold()
  readonly #options: FoldedLogOptions

  constructor(options: FoldedLogOptions = {}) {
    this.#options = options
  }

  lines(message: string, fields: LogFields): string[] {
    const text = logText(message, fields)
    if (fields.error === undefined) return [text]
    const report = errorReport(fields.error, this.#options)
    const times = this.#fold.add(report, message)
    // Two lines of the log may report the same error.
    const places = this.#places.add(report) === 1 ? report.frames : []
    if (times === 1) return [text, ...places.map((place) => `  at ${place}`)]
    if (isWorthShowing(times)) return [`${text}  (${times} times so far)`]
    return this.#options.showsRepeats ? [text] : []
  }

  /** Shows every error again, because the program was restarted. */
  clear(): void {
    this.#fold.clear()
    this.#places.clear()
  }
}
