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
 * One line that vcluster prints when it comes from a plugin's standard error. vcluster drops lines that do not have
 * this form: `@level` at least `info`, `@timestamp` with exactly six digits of a second, `@message` a string, under 64
 * KiB (log_entry.go @ v1.6.0 of github.com/hashicorp/go-plugin).
 */
export function formatHclog({ level, message, fields, date }: HclogEntry): string {
  const head = { '@level': level, '@timestamp': hclogTime(date), '@message': message }
  return shortenLine(`${JSON.stringify({ ...head, ...withoutHclogNames(fields) }, bigIntAsText)}\n`)
}

/** Returns the line; if it is too long, a line with only the message, which is cut. */
export function shortenLine(line: string): string {
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
 * Renames fields with hclog's own names. They would replace hclog's fields, and a value that is not a string would end
 * the vcluster process.
 */
export function withoutHclogNames(fields: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name.replace(/^@+/, ''), value]))
}

const bigIntAsText = (_name: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)
