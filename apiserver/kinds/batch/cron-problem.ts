/** One field of a schedule: its range, and names for some values. */
interface CronField {
  readonly min: number
  readonly max: number
  readonly names?: readonly string[]
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const cronFields: readonly CronField[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: months },
  { min: 0, max: 6, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
]
const descriptors = ['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly']

class CronProblem extends Error {}

/** The error of a schedule with the text of `github.com/robfig/cron/v3`, which the real server uses. */
export function cronProblem(schedule: string): string | undefined {
  const text = schedule.replace(/^(CRON_)?TZ=\S+\s+/, '')
  if (text.startsWith('@')) return descriptorProblem(text)
  const fields = text.split(/\s+/).filter(Boolean)
  if (fields.length !== cronFields.length) {
    return `expected exactly ${cronFields.length} fields, found ${fields.length}: [${fields.join(' ')}]`
  }
  try {
    for (const [index, limits] of cronFields.entries()) checkField(fields[index] ?? '', limits)
    return undefined
  } catch (error) {
    if (error instanceof CronProblem) return error.message
    throw error
  }
}

function descriptorProblem(text: string): string | undefined {
  if (descriptors.includes(text) || /^@every ([\d.]+(ns|us|µs|ms|s|m|h))+$/.test(text)) return undefined
  if (!text.startsWith('@every ')) return `unrecognized descriptor: ${text}`
  const duration = text.slice('@every '.length)
  return `failed to parse duration ${text}: time: invalid duration ${JSON.stringify(duration)}`
}

function checkField(field: string, limits: CronField): void {
  for (const range of field.split(',').filter(Boolean)) checkRange(range, limits)
}

function checkRange(range: string, limits: CronField): void {
  const [span = '', step, ...excess] = range.split('/')
  const [first, last] = boundsOf(span, range, limits)
  const width = step === undefined ? 1 : integer(step)
  if (excess.length > 0) throw new CronProblem(`too many slashes: ${range}`)
  const rangeEnd = step !== undefined && !span.includes('-') ? limits.max : last
  if (first < limits.min) refuse(`beginning of range (${first}) below minimum (${limits.min})`, range)
  if (rangeEnd > limits.max) refuse(`end of range (${rangeEnd}) above maximum (${limits.max})`, range)
  if (first > rangeEnd) refuse(`beginning of range (${first}) beyond end of range (${rangeEnd})`, range)
  if (width === 0) refuse('step of range should be a positive number', range)
}

function refuse(why: string, range: string): never {
  throw new CronProblem(`${why}: ${range}`)
}

function boundsOf(span: string, range: string, limits: CronField): [first: number, last: number] {
  const [low = '', high, ...excess] = span.split('-')
  if (low === '*' || low === '?') return [limits.min, limits.max]
  const first = numberOrName(low, limits)
  if (excess.length > 0) throw new CronProblem(`too many hyphens: ${range}`)
  return [first, high === undefined ? first : numberOrName(high, limits)]
}

function numberOrName(text: string, { min, names = [] }: CronField): number {
  const nameIndex = names.indexOf(text.toLowerCase())
  return nameIndex >= 0 ? nameIndex + min : integer(text)
}

function integer(text: string): number {
  if (!/^[+-]?\d+$/.test(text)) {
    const why = `strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`
    throw new CronProblem(`failed to parse int from ${text}: ${why}`)
  }
  if (Number(text) < 0) throw new CronProblem(`negative number (${Number(text)}) not allowed: ${text}`)
  return Number(text)
}
