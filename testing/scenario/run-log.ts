import { type Logger, silentLogger } from '../../sdk/engine/observe/logger.js'
import type { FaultSchedule } from '../faults/fault-schedule.js'
import { warningLogger } from '../plugin/warning-logger.js'

/** The number of log lines of the program that are kept for the failure report. */
const maxLines = 20

/** The first warnings and errors of the program of a run, if no faults are injected. */
export class RunLog {
  readonly lines: string[] = []
  readonly #name: string

  /** `name` is what a message calls the program, for example `the plugin`. */
  constructor(name: string) {
    this.#name = name
  }

  /** The logger of the program. Injected faults cause warnings, which say nothing about the program. */
  loggerFor(faults: Pick<FaultSchedule, 'isEmpty'>): Logger {
    return faults.isEmpty ? warningLogger((line) => this.#add(line)) : silentLogger
  }

  /** Adds the lines to a failure, because they usually name the cause. */
  explain(error: unknown): unknown {
    if (this.lines.length === 0) return error
    const message = error instanceof Error ? error.message : String(error)
    const lines = this.lines.map((line) => `  ${line}`)
    return new Error([message, `${this.#name} logged:`, ...lines].join('\n'), { cause: error })
  }

  #add(line: string): void {
    if (this.lines.length < maxLines) this.lines.push(line)
  }
}
