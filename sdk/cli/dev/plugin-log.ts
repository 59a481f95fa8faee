/** A line that a plugin wrote, as `dev` understands it. */
export interface PluginLine {
  text: string
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
const notForPeople = ['level', 'time', 'msg', 'pid', 'hostname', '@level', '@timestamp', '@message']
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
  const { msg, '@message': message = msg } = entry
  return { text: `${message}${describe(entry)}`, level: levelOf(entry), running: message === runningMessage }
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

function describe(fields: Record<string, unknown>): string {
  const told = Object.entries(fields).filter(([name]) => !notForPeople.includes(name))
  const parts = told.map(([name, value]) => `${name}=${textOf(value)}`)
  return parts.length > 0 ? `  ${parts.join(' ')}` : ''
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value.includes(' ') ? JSON.stringify(value) : value
  const { message } = Object(value)
  return JSON.stringify(typeof message === 'string' ? message : value) ?? 'undefined'
}
