import { logText } from '../../sdk/engine/observe/log-text.js'
import type { LogFields } from '../../sdk/engine/observe/logger.js'

/** A line of a plugin's output. */
export interface PluginLine {
  text: string
  /** Message and fields of a log line of the SDK. */
  entry?: { message: string; fields: LogFields }
  level: 'debug' | 'info' | 'warn' | 'error' | 'plain'
  /** Whether the line says that all syncers are running. */
  running: boolean
}

const levels: readonly [number, PluginLine['level']][] = [
  [50, 'error'],
  [40, 'warn'],
  [30, 'info'],
]
const runningMessages = ['the plugin is running', 'the operator is running', 'the plugin serves the operator']
const hiddenFields = ['level', 'time', 'pid', 'hostname', '@level', '@timestamp']
/** The handshake of go-plugin, which is for the vcluster process. */
const handshake = /^1\|1\|(unix|tcp)\|/

/**
 * Parses one line of a plugin's output. The SDK logs JSON with pino's numeric levels, or in vcluster's container with
 * hclog's fields; other lines are plain text. Returns undefined for a line that is not for the user. See
 * https://getpino.io/#/docs/api?id=logger-level
 */
export function readPluginLine(line: string): PluginLine | undefined {
  if (handshake.test(line)) return undefined
  const entry = parseEntry(line)
  if (!entry) return { text: line, level: 'plain', running: false }
  const { msg, '@message': message = msg, ...rest } = entry
  const shownFields = Object.entries(rest).filter(([name]) => !hiddenFields.includes(name))
  const shownLine = { message: String(message), fields: Object.fromEntries(shownFields) }
  return {
    text: logText(shownLine.message, shownLine.fields),
    entry: shownLine,
    level: levelOf(entry),
    running: runningMessages.includes(shownLine.message),
  }
}

function levelOf({ level: number, '@level': word }: Record<string, unknown>): PluginLine['level'] {
  const isAtLeast = ([least, name]: (typeof levels)[number]) =>
    word === undefined ? Number(number) >= least : word === name
  return levels.find(isAtLeast)?.[1] ?? 'debug'
}

function parseEntry(line: string): Record<string, unknown> | undefined {
  if (!/^\{"@?level":/.test(line)) return undefined
  try {
    return JSON.parse(line)
  } catch {
    // The line is cut off, or is not a log line: it is shown as plain text.
    return undefined
  }
}
