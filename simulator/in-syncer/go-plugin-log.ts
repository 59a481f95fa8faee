/** The size of go-plugin's buffer for a line, in bytes. */
const maxLineLength = 64 * 1024
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}(Z|[+-]\d\d:\d\d)$/
const shownLevels = ['info', 'warn', 'error']
const prefixes = shownLevels.map((level) => `[${level.toUpperCase()}]`)

/**
 * A line of a plugin's standard error as vcluster's log shows it; `undefined` for a line that it drops.
 * Throws if the line would end the vcluster process. See logStderr in client.go @ v1.6.0 of
 * github.com/hashicorp/go-plugin, with the level that vcluster sets (info).
 */
export function shownByGoPlugin(line: string): string | undefined {
  if (Buffer.byteLength(line) > maxLineLength) return undefined
  const entry = entryOf(line)
  if (entry) return shownEntry(entry)
  const prefix = prefixes.find((candidate) => line.startsWith(candidate))
  return prefix && `${prefix} plugin.plugin: ${line}`
}

function entryOf(line: string): Record<string, unknown> | undefined {
  let entry: unknown
  try {
    entry = JSON.parse(line)
  } catch {
    // Not JSON, but a line of text.
    return undefined
  }
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return undefined
  const fields = entry as Record<string, unknown>
  const { '@timestamp': written } = fields
  if (written !== undefined && typeof written === 'string' && !time.test(written)) return undefined
  return fields
}

function shownEntry(entry: Record<string, unknown>): string | undefined {
  const {
    '@level': level = '',
    '@message': message = '',
    '@timestamp': written = '0001-01-01',
    ...otherMembers
  } = entry
  for (const member of [level, message, written])
    if (typeof member !== 'string') throw new Error('a plugin’s log line would end the vcluster process')
  if (!shownLevels.includes(String(level))) return undefined
  const fields = Object.entries({ ...otherMembers, timestamp: written }).map(
    ([name, value]) => `${name}=${asText(value)}`,
  )
  return `[${String(level).toUpperCase()}] plugin.plugin: ${message}: ${fields.join(' ')}`
}

const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
