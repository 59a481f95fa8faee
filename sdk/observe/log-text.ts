import type { LogFields } from './logger.js'

/** A log line for people: its message, and its fields as `name=value`. */
export function logText(message: string, fields: LogFields): string {
  const parts = Object.entries(fields).map(([name, value]) => `${name}=${valueText(value)}`)
  return parts.length > 0 ? `${message}  ${parts.join(' ')}` : message
}

function valueText(value: unknown): string {
  if (typeof value === 'string') return value.includes(' ') ? JSON.stringify(value) : value
  const { message } = Object(value)
  return JSON.stringify(typeof message === 'string' ? message : value) ?? 'undefined'
}
