import { logText } from '../../sdk/observe/log-text.js'
import type { LogFields } from '../../sdk/observe/logger.js'

/** A line that a plugin wrote, as `dev` understands it. */
export interface PluginLine {
  text: string
  /** What the text is made of, where the line is the SDK's. */
  entry?: { message: string; fields: LogFields }
  level: 'debug' | 'info' | 'warn' | 'error' | 'plain'
  /** Whether it says that every syncer is at work. */
  running: boolean
}

const levels: readonly [number, PluginLine['level']][] = [
  [50, 'error'],
  [40, 'warn'],
  [30, 'info'],
]
const runningMessage = 'the plugin is running'
const notForPeople = ['level', 'time', 'pid', 'hostname', '@level', '@timestamp']
/** The first line of a plugin that a vcluster process has started is for that process. */
const handshake = /^1\|1\|(unix|tcp)\|/

/**
 * Reads one line of a plugin's output: the SDK's log is JSON with pino's numeric levels, or inside vcluster's container
 * hclog's form; anything else is shown as it is, and undefined is what nobody is to see.
 * See https://getpino.io/#/docs/api?id=logger-level
 */
export function readPluginLine(line: string): PluginLine | undefined {
  if (handshake.test(line)) return undefined
  const entry = parseEntry(line)
  if (!entry) return { text: line, level: 'plain', running: false }
  const { msg, '@message': message = msg, ...rest } = entry
  const told = Object.entries(rest).filter(([name]) => !notForPeople.includes(name))
  const shown = { message: String(message), fields: Object.fromEntries(told) }
  return {
    text: logText(shown.message, shown.fields),
    entry: shown,
    level: levelOf(entry),
    running: message === runningMessage,
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
    // Cut off by the end of the process, or no log line at all: shown as it is.
    return undefined
  }
}
