import { type LogFields, type Logger, silentLogger } from '../observe/logger.js'
import type { Leadership } from './leadership.js'

/** The values that a leadership has emitted so far, and `end`. */
export function follow(leadership: Leadership): unknown[] {
  const said: unknown[] = []
  leadership.leader$.subscribe({ next: (leads) => said.push(leads), complete: () => said.push('end') })
  return said
}

/** A logger that keeps the messages of its lines. */
export function recordLines(lines: string[]): Logger {
  const line = (_fields: LogFields, message: string) => lines.push(message)
  return { ...silentLogger, info: line, warn: line, error: line }
}
