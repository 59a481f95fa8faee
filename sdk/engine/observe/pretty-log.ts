import { pino } from 'pino'
import { escaped, logText } from './log-text.js'

/**
 * A line of the log as text for a terminal: time, level, message, fields, and the stack of an error on lines of its
 * own.
 */
export function prettyLine(line: string): string {
  const { level, time, msg = '', ...fields } = JSON.parse(line)
  const label = (pino.levels.labels[level] ?? String(level)).toUpperCase().padEnd(5)
  const text = `${new Date(time).toISOString()} ${label} ${logText(String(msg), fields)}\n`
  const { stack } = Object(fields.error)
  return typeof stack === 'string' ? text + indent(stack) : text
}

function indent(stack: string): string {
  return stack
    .split('\n')
    .map((line) => `    ${escaped(line.trim())}\n`)
    .join('')
}
