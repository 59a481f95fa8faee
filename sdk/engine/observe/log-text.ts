import type { LogFields } from './logger.js'

/** A log line for people: its message, and its fields as `name=value`. */
export function logText(message: string, fields: LogFields): string {
  const parts = Object.entries(fields).map(([name, value]) => `${escaped(name)}=${valueText(value)}`)
  return [escaped(message), parts.join(' ')].filter((part) => part !== '').join('  ')
}

/**
 * Escapes control characters, including characters that change the text direction. They could forge lines or change
 * what a terminal shows.
 */
export function escaped(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, (character) => {
    const code = character.charCodeAt(0).toString(16).padStart(4, '0')
    return character === '\n' ? '\\n' : `\\u${code}`
  })
}

function valueText(value: unknown): string {
  if (typeof value === 'string') return escaped(value.includes(' ') ? JSON.stringify(value) : value)
  const { message } = Object(value)
  return escaped(JSON.stringify(typeof message === 'string' ? message : value, asJson) ?? 'undefined')
}

/** Writes a `bigint`, which is an integer that a double cannot hold, as text. */
const asJson = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)
