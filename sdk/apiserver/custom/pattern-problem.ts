/** What may follow a backslash. */
const ESCAPED = /^(?:[AbBzdDsSwWafnrtvQEC0]|[xpP].|[^\w])/su
const MAX_REPEAT = 1000

/** How far a pattern has been read. */
interface Reading {
  readonly pattern: string
  at: number
  depth: number
  /** What was read last can be repeated, was just repeated, or is nothing. */
  last: 'nothing' | 'something' | 'repeated'
}

/** A step of the reading: the length of what it read, or what is wrong. */
type Step = number | string

/**
 * Why Go's `regexp` does not take a pattern, in its words; nothing where it does. JavaScript's own expressions take
 * what Go does not, such as a look ahead. Follows `regexp/syntax/parse.go` of Go 1.26 for what is usually wrong.
 */
export function patternProblem(pattern: string): string | undefined {
  const reading: Reading = { pattern, at: 0, depth: 0, last: 'nothing' }
  while (reading.at < pattern.length) {
    const step = readOne(reading)
    if (typeof step === 'string') return `error parsing regexp: ${step}`
    reading.at += step
  }
  return reading.depth > 0 ? `error parsing regexp: missing closing ): \`${pattern}\`` : undefined
}

function readOne(reading: Reading): Step {
  const { pattern, at } = reading
  const character = pattern.charAt(at)
  if (character === '(') return readGroup(reading)
  if (character === ')') return readEnd(reading)
  if (character === '|') return found(reading, 'nothing', 1)
  const repetition = /^(?:[*+?]|\{\d+(?:,\d*)?\})\??/.exec(pattern.slice(at))?.[0]
  if (repetition !== undefined) return readRepetition(reading, repetition)
  if (character === '[') return readClass(reading)
  return character === '\\' ? readEscape(reading) : found(reading, 'something', 1)
}

function found(reading: Reading, last: Reading['last'], length: number): number {
  reading.last = last
  return length
}

function readGroup(reading: Reading): Step {
  const rest = reading.pattern.slice(reading.at)
  if (!rest.startsWith('(?')) {
    reading.depth++
    return found(reading, 'nothing', 1)
  }
  const opening = /^\(\?(?:P?<\w+>|[imsU]*(?:-[imsU]+)?[:)])/.exec(rest)?.[0]
  if (opening === undefined) {
    if (/^\(\?P?</.test(rest))
      return `invalid named capture: \`${rest.split('>', 1)[0]}${rest.includes('>') ? '>' : ''}\``
    return `invalid or unsupported Perl syntax: \`${/^\(\?[imsU-]*./s.exec(rest)?.[0] ?? rest}\``
  }
  if (!opening.endsWith(')')) reading.depth++
  return found(reading, 'nothing', opening.length)
}

function readEnd(reading: Reading): Step {
  if (reading.depth-- === 0) return `unexpected ): \`${reading.pattern}\``
  return found(reading, 'something', 1)
}

function readRepetition(reading: Reading, text: string): Step {
  if (reading.last === 'nothing')
    return `missing argument to repetition operator: \`${text.replace(/(.)\?$/, '$1')}\``
  if (reading.last === 'repeated') return `invalid nested repetition operator: \`${before(reading)}${text}\``
  const [, least = '0', most = least] = /^\{(\d+)(?:,(\d*))?\}/.exec(text) ?? []
  const bounds = [Number(least), most === '' ? Number(least) : Number(most)] as const
  if (Math.max(...bounds) > MAX_REPEAT || bounds[0] > bounds[1]) return `invalid repeat count: \`${text}\``
  return found(reading, 'repeated', text.length)
}

/** The repetition that another one follows. */
function before({ pattern, at }: Reading): string {
  return /(?:[*+?]|\{[\d,]*\})\??$/.exec(pattern.slice(0, at))?.[0] ?? ''
}

function readEscape(reading: Reading): Step {
  const rest = reading.pattern.slice(reading.at + 1)
  if (rest === '') return 'trailing backslash at end of expression: ``'
  const text = ESCAPED.exec(rest)?.[0]
  if (text === undefined)
    return `invalid escape sequence: \`\\${String.fromCodePoint(rest.codePointAt(0) ?? 0)}\``
  if (text === 'Q') {
    const end = rest.indexOf('\\E')
    return found(reading, 'something', end < 0 ? rest.length + 1 : end + 3)
  }
  return found(reading, 'something', 1 + text.length)
}

function readClass(reading: Reading): Step {
  const rest = reading.pattern.slice(reading.at)
  const text = /^\[\^?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\])*\]/s.exec(rest)?.[0]
  if (text === undefined) return `missing closing ]: \`${rest}\``
  const wrong = [...text.matchAll(/(?<!\\)(\w)-(\w)/g)].find(([, low = '', high = '']) => low > high)
  if (wrong !== undefined) return `invalid character class range: \`${wrong[0]}\``
  return found(reading, 'something', text.length)
}
