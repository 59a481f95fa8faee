// The functions of templates: those of Go's text/template, and the ones of charts that change texts.

/** The longest text that a function makes, in characters. */
const maxTextLength = 65_536

/** A call of a function is not possible. The message says why. */
export class TemplateCallError extends Error {
  override readonly name = 'TemplateCallError'
}

type Value = unknown
type TemplateFunction = (...args: readonly Value[]) => Value

/** A function, and how many arguments it takes. */
interface FunctionEntry {
  readonly minArgs: number
  readonly maxArgs: number
  readonly run: TemplateFunction
}

/** A value as Go's templates write it into a text. */
export const textOf = (value: Value): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value)

/** Whether a value counts as true: not false, not 0, and not empty. */
export function isTrue(value: Value): boolean {
  if (Array.isArray(value)) return value.length > 0
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0
  return Boolean(value)
}

const exactly = (count: number, run: TemplateFunction): FunctionEntry => ({
  minArgs: count,
  maxArgs: count,
  run,
})
const onText = (run: (text: string) => string) => exactly(1, (value) => run(textOf(value)))
const onTexts = (run: (one: string, other: string) => Value) =>
  exactly(2, (one, other) => run(textOf(one), textOf(other)))
const comparing = (fits: (order: number) => boolean) => exactly(2, (one, other) => fits(compare(one, other)))

const functions: Readonly<Record<string, FunctionEntry>> = {
  not: exactly(1, (value) => !isTrue(value)),
  eq: { minArgs: 2, maxArgs: 32, run: (first, ...others) => others.some((one) => isSame(first, one)) },
  ne: exactly(2, (one, other) => !isSame(one, other)),
  lt: comparing((order) => order < 0),
  le: comparing((order) => order <= 0),
  gt: comparing((order) => order > 0),
  ge: comparing((order) => order >= 0),
  len: exactly(1, lengthOf),
  index: exactly(2, memberAt),
  print: { minArgs: 1, maxArgs: 32, run: (...args) => args.map(textOf).join('') },
  printf: { minArgs: 1, maxArgs: 32, run: (format, ...args) => formatText(textOf(format), args) },
  lower: onText((text) => text.toLowerCase()),
  upper: onText((text) => text.toUpperCase()),
  trim: onText((text) => text.trim()),
  quote: onText((text) => JSON.stringify(text)),
  squote: onText((text) => `'${text}'`),
  toString: onText((text) => text),
  default: exactly(2, (other, value) => (isTrue(value) ? value : other)),
  ternary: exactly(3, (yes, no, condition) => (isTrue(condition) ? yes : no)),
  replace: exactly(3, (from, to, text) => textOf(text).replaceAll(textOf(from), () => textOf(to))),
  trunc: exactly(2, (length, text) => truncated(textOf(text), length)),
  trimPrefix: onTexts((prefix, text) => (text.startsWith(prefix) ? text.slice(prefix.length) : text)),
  trimSuffix: onTexts((suffix, text) =>
    suffix !== '' && text.endsWith(suffix) ? text.slice(0, -suffix.length) : text,
  ),
  contains: onTexts((part, text) => text.includes(part)),
  hasPrefix: onTexts((prefix, text) => text.startsWith(prefix)),
  hasSuffix: onTexts((suffix, text) => text.endsWith(suffix)),
  join: exactly(2, (between, list) => joined(textOf(between), listOf(list))),
}

/** The names of all functions. */
export const functionNames: readonly string[] = ['and', 'or', ...Object.keys(functions)]

/**
 * Calls a function. Throws a {@link TemplateCallError} for one that does not exist, and for arguments that do not fit.
 */
export function callFunction(name: string, args: readonly Value[]): Value {
  const entry = Object.hasOwn(functions, name) ? functions[name] : undefined
  if (!entry) throw new TemplateCallError(`the function ${name} does not exist`)
  const { minArgs, maxArgs, run } = entry
  if (args.length < minArgs || args.length > maxArgs)
    throw new TemplateCallError(
      `${name} takes ${minArgs === maxArgs ? minArgs : `at least ${minArgs}`} arguments, got ${args.length}`,
    )
  const long = args.reduce<number>((sum, one) => sum + (typeof one === 'string' ? one.length : 0), 0)
  if (name === 'replace' && long > 1_024)
    throw new TemplateCallError('replace takes texts of 1024 characters')
  const value = run(...args)
  if (typeof value === 'string') checkLength(name, value.length)
  return value
}

function checkLength(name: string, length: number): void {
  if (length > maxTextLength)
    throw new TemplateCallError(`${name} makes more than ${maxTextLength} characters`)
}

const isSame = (one: Value, other: Value) =>
  typeof one === typeof other && JSON.stringify(one) === JSON.stringify(other)

function compare(one: Value, other: Value): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  if (typeof one === 'string' && typeof other === 'string') return one === other ? 0 : one < other ? -1 : 1
  throw new TemplateCallError(
    `two numbers or two texts are compared, got ${textOf(one)} and ${textOf(other)}`,
  )
}

function lengthOf(value: Value): number {
  if (typeof value === 'string') return Buffer.byteLength(value)
  if (Array.isArray(value)) return value.length
  if (typeof value === 'object' && value !== null) return Object.keys(value).length
  throw new TemplateCallError(`len needs a text, a list or a map, got ${textOf(value)}`)
}

function memberAt(value: Value, key: Value): Value {
  const isKey = Array.isArray(value) ? Number.isInteger(key) : Object.hasOwn(Object(value), String(key))
  const element = isKey ? (value as Record<string, Value>)[String(key)] : undefined
  if (element !== undefined) return element
  throw new TemplateCallError(`index finds nothing at ${textOf(key)}`)
}

function truncated(text: string, length: Value): string {
  if (!Number.isInteger(length))
    throw new TemplateCallError(`trunc needs a whole number, got ${textOf(length)}`)
  return (length as number) < 0 ? text.slice(length as number) : text.slice(0, length as number)
}

/** A long text between many short ones would fill the memory before the length of the result is known. */
function joined(between: string, list: readonly Value[]): string {
  checkLength('join', between.length * (list.length - 1))
  return list.map(textOf).join(between)
}

function listOf(value: Value): readonly Value[] {
  if (Array.isArray(value)) return value
  throw new TemplateCallError(`join needs a list, got ${textOf(value)}`)
}

interface Verb {
  fits(value: Value): boolean
  write(value: Value): string
}

const isText = (value: Value) => typeof value === 'string'
const verbs: Readonly<Record<string, Verb>> = {
  v: { fits: () => true, write: textOf },
  s: { fits: isText, write: textOf },
  d: { fits: Number.isInteger, write: textOf },
  t: { fits: (value) => typeof value === 'boolean', write: textOf },
  q: { fits: isText, write: (value) => JSON.stringify(value) },
}

function formatText(format: string, args: readonly Value[]): string {
  let argIndex = 0
  const text = format.replaceAll(/%(.?)/g, (whole, verb: string) => {
    if (verb === '%') return '%'
    const formatter = verbs[verb]
    if (!formatter || argIndex >= args.length)
      throw new TemplateCallError(`printf knows %s %v %d %t %q with an argument for each, got ${whole}`)
    const value = args[argIndex++]
    if (formatter.fits(value)) return formatter.write(value)
    throw new TemplateCallError(`printf has ${whole} for ${textOf(value)}; use %v`)
  })
  if (argIndex < args.length) throw new TemplateCallError('printf has more arguments than its format')
  return text
}
