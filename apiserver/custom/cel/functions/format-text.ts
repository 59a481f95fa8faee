import { type CelDuration, isDuration, nanosOf } from '../equality-key.js'

const clausePattern = /%(?:%|(?:\.(\d+))?([a-zA-Z]))/g

/** `'%s is %d'.format(['a', 1])`, by the table of formats of `ext.Strings`. */
export function formatText(template: string, values: readonly unknown[]): string {
  let nextIndex = 0
  return template.replaceAll(clausePattern, (clause: string, precision: string | undefined, verb: string) => {
    if (clause === '%%') return '%'
    if (nextIndex >= values.length) throw new Error(`index ${nextIndex} out of range`)
    return formatOne(verb, values[nextIndex++], precision === undefined ? 6 : Number(precision))
  })
}

function formatOne(verb: string, value: unknown, precision: number): string {
  const isInteger = typeof value === 'bigint'
  const isNumber = isInteger || typeof value === 'number'
  if (verb === 's') return textOf(value)
  if (verb === 'd' && isNumber) return String(value)
  if (verb === 'f' && isNumber) return Number(value).toFixed(precision)
  if (verb === 'e' && isNumber) return formatExponential(Number(value), precision)
  if (verb === 'b' && isInteger) return value.toString(2)
  if (verb === 'b' && typeof value === 'boolean') return value ? '1' : '0'
  if (verb === 'o' && isInteger) return value.toString(8)
  if (verb === 'x') return hexOf(value)
  if (verb === 'X') return hexOf(value).toUpperCase()
  throw new Error(`could not parse formatting clause: unrecognized formatting clause "${verb}"`)
}

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹'

/** `3.14` as `3.140000×10⁰⁰`: exponents have at least two digits. */
function formatExponential(value: number, precision: number): string {
  const [mantissa = '', exponent = '0'] = value.toExponential(precision).split('e')
  const digits = exponent.replace(/^[+-]/, '').padStart(2, '0')
  const raised = [...digits].map((digit) => superscripts.charAt(Number(digit))).join('')
  return `${mantissa}×10${exponent.startsWith('-') ? '⁻' : ''}${raised}`
}

function hexOf(value: unknown): string {
  if (typeof value === 'bigint') return value.toString(16)
  if (typeof value === 'string' || value instanceof Uint8Array) return Buffer.from(value).toString('hex')
  throw new Error('only integers, byte buffers, and strings can be formatted as hex')
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(textOf).join(', ')}]`
  if (value instanceof Map) {
    const entries = [...value].map(([key, member]) => `${textOf(key)}: ${textOf(member)}`)
    return `{${entries.sort().join(', ')}}`
  }
  if (value instanceof Date) return timeText(value)
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8')
  return isDuration(value) ? durationText(value) : String(value)
}

/** A time in the format of `string(…)`. */
export function timeText(time: Date): string {
  return time
    .toISOString()
    .replace(/(\.\d*?)0+Z$/, '$1Z')
    .replace('.Z', 'Z')
}

/** A duration in the format of `string(…)`, in seconds. */
export function durationText(duration: CelDuration): string {
  return `${Number(nanosOf(duration)) / 1e9}s`
}
