import { escaped } from '../../engine/observe/log-text.js'
import type { LogFields, Logger } from '../../engine/observe/logger.js'
import type { Clock } from '../../engine/time/clock.js'
import { SecondBudget } from './second-budget.js'

/** The maximum number of lines of a program per second; further lines are only counted. */
const linesPerSecond = 100
/** The maximum length of a line, in characters; the rest is cut off. */
const maxLine = 4_096

type Level = 'debug' | 'info' | 'warn' | 'error'

/** Writes the log and the output of a program within limits and without control characters, in a field of their own. */
export class ProgramLog {
  readonly #logger: Logger
  readonly #clock: Clock
  readonly #budget: SecondBudget
  #dropped = 0
  #cancelReport: (() => void) | undefined

  constructor(logger: Logger, clock: Clock) {
    this.#logger = logger
    this.#clock = clock
    this.#budget = new SecondBudget(clock, linesPerSecond)
  }

  /** Writes a line; `facts` are the operator's own fields. */
  write(level: Level, message: string, facts: LogFields, fields: Record<string, unknown> = {}): void {
    if (!this.#budget.spend()) {
      this.#drop()
      return
    }
    const text = textOf(fields)
    this.#logger[level]({ ...facts, ...(text !== undefined && { said: text }) }, cut(message))
  }

  /** Reports the number of dropped lines. */
  close(): void {
    this.#cancelReport?.()
    this.#report()
  }

  #drop(): void {
    this.#dropped++
    this.#cancelReport ??= this.#clock.schedule(this.#budget.waitMs(), () => this.#report())
  }

  #report(): void {
    this.#cancelReport = undefined
    if (this.#dropped === 0) return
    const lines = this.#dropped
    this.#dropped = 0
    this.#logger.warn(
      { lines },
      `dropped log lines of the program: more than ${linesPerSecond} in one second`,
    )
  }
}

/** The fields as they are, if they are small; else the start of their text. */
function textOf(fields: Record<string, unknown>): unknown {
  if (Object.keys(fields).length === 0) return undefined
  return cut(JSON.stringify(fields, (_key, value) => (typeof value === 'bigint' ? String(value) : value)))
}

function cut(text: string): string {
  const shown = escaped(text.slice(0, maxLine))
  return text.length > maxLine ? `${shown}… (${text.length} characters)` : shown
}
