/** Levels as hclog knows them, whatever our own logger calls them. */
export type HclogLevel = 'info' | 'warn' | 'error'

/** The content of one log line. */
export interface HclogEntry {
  level: HclogLevel
  message: string
  fields?: Readonly<Record<string, unknown>>
  date: Date
}

/** go-plugin reads lines of up to 64 KiB and drops longer ones. */
const maxLineLength = 60_000
const maxCutLength = 8000

/**
 * One line that vcluster prints when it comes from a plugin's standard error. It drops all that is not of this form:
 * `@level` at least `info`, `@timestamp` with exactly six digits of a second, `@message` a string, under 64 KiB
 * (log_entry.go @ v1.6.0 of github.com/hashicorp/go-plugin).
 */
export function formatHclog({ level, message, fields, date }: HclogEntry): string {
  const head = { '@level': level, '@timestamp': hclogTime(date), '@message': message }
  return shortened(`${JSON.stringify({ ...head, ...renamed(fields) }, bigIntAsText)}\n`)
}

/** The same line, or of one that is too long its message alone, cut. */
export function shortened(line: string): string {
  const bytes = Buffer.byteLength(line)
  if (bytes <= maxLineLength) return line
  const { '@level': level, '@timestamp': time, '@message': message = '' } = JSON.parse(line)
  const cut = `${String(message).slice(0, maxCutLength)}… (cut, the line had ${bytes} bytes)`
  return `${JSON.stringify({ '@level': level, '@timestamp': time, '@message': cut })}\n`
}

/** The time in the form that hclog reads. */
export function hclogTime(date: Date): string {
  return date.toISOString().replace('Z', '000Z')
}

/**
 * Renames fields with hclog's own names: they would replace hclog's, and one that is not a string ends the
 * vcluster process.
 */
export function renamed(fields: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name.replace(/^@+/, ''), value]))
}

const bigIntAsText = (_name: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)
