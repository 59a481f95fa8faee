import { ScheduleProblem } from './schedule-error.js'

/** One field of a cron expression: its bounds, and the names that stand for numbers. */
export interface CronField {
  readonly name: string
  readonly min: number
  readonly max: number
  readonly names?: readonly string[]
}

/** The permitted values of a field, in ascending order; `any` if the field is `*` or `?`. */
export interface FieldValues {
  readonly any: boolean
  readonly values: readonly number[]
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

/** The fields in their order. An expression of five fields has no seconds: they are 0. */
export const cronFields: readonly CronField[] = [
  { name: 'second', min: 0, max: 59 },
  { name: 'minute', min: 0, max: 59 },
  { name: 'hour', min: 0, max: 23 },
  { name: 'day of month', min: 1, max: 31 },
  { name: 'month', min: 1, max: 12, names: ['', ...months] },
  { name: 'day of week', min: 0, max: 7, names: days },
]

/** Reads one field such as `*`, `5`, `mon-fri`, `10-40/5` or `1,15`; throws a {@link ScheduleProblem}. */
export function readField(text: string, field: CronField): FieldValues {
  const values = new Set(text.split(',').flatMap((part) => readPart(part, field)))
  // Day 7 is Sunday, as in cron of Unix.
  if (field.max === 7 && values.delete(7)) values.add(0)
  return { any: text === '*' || text === '?', values: [...values].sort((one, other) => one - other) }
}

function readPart(part: string, field: CronField): number[] {
  const [range = '', step, ...more] = part.split('/')
  if (more.length > 0) throw invalidField(part, field, 'has more than one "/"')
  const stepSize = step === undefined ? 1 : readStep(step, part, field)
  const [first, last] = readRange(range, step !== undefined, part, field)
  if (first > last) throw invalidField(part, field, 'ends before it begins')
  const length = Math.floor((last - first) / stepSize) + 1
  return Array.from({ length }, (_, index) => first + index * stepSize)
}

function readStep(step: string, part: string, field: CronField): number {
  const stepSize = /^\d{1,3}$/.test(step) ? Number(step) : 0
  if (stepSize === 0) throw invalidField(part, field, 'needs a step of at least 1 after "/"')
  return stepSize
}

/** Reads a range. A single number with a step, such as `5/15`, is a range from that number to the field's maximum. */
function readRange(range: string, hasStep: boolean, part: string, field: CronField): [number, number] {
  const maxValue = field.max === 7 ? 6 : field.max
  if (range === '*' || range === '?') return [field.min, maxValue]
  const [from = '', to, ...more] = range.split('-')
  if (more.length > 0) throw invalidField(part, field, 'has more than one "-"')
  const first = readValue(from, part, field)
  if (to !== undefined) return [first, readValue(to, part, field)]
  return [first, hasStep ? Math.max(first, maxValue) : first]
}

function readValue(text: string, part: string, field: CronField): number {
  const nameIndex = field.names?.indexOf(text.toLowerCase()) ?? -1
  if (text !== '' && nameIndex >= 0) return nameIndex
  const value = /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN
  if (value >= field.min && value <= field.max) return value
  throw invalidField(part, field, `must be between ${field.min} and ${field.max}`)
}

function invalidField(part: string, field: CronField, problem: string): ScheduleProblem {
  return new ScheduleProblem(`${field.name} ${JSON.stringify(part)} ${problem}`)
}
