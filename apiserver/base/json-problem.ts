/** The limit for the nesting of a JSON text, as in Go's encoding/json. */
const maxDepth = 10_000

/** The open structure at the current byte: an object before or after a colon, or an array. */
type Open = 'key' | 'value' | 'array'

/** Takes a byte and returns the next state, or the error about the byte. */
type State = (open: Open[], byte: number) => State | string

const code = (character: string) => character.charCodeAt(0)
const isSpace = (byte: number) => byte === 32 || byte === 9 || byte === 10 || byte === 13
const isDigit = (byte: number) => byte >= 48 && byte <= 57

/**
 * The error of Go's encoding/json (scanner.go) for a text, which a real server quotes in its responses;
 * `undefined` for a valid text.
 */
export function jsonProblem(text: string | Uint8Array): string | undefined {
  const open: Open[] = []
  let state: State = beginValue
  for (const byte of typeof text === 'string' ? Buffer.from(text) : text) {
    const next = state(open, byte)
    if (typeof next === 'string') return `invalid character ${quoted(byte)} ${next}`
    state = next
  }
  // Go treats the end of the text as a space after a number or a word.
  const endState = state(open, 32)
  if (typeof endState === 'string') return `invalid character ' ' ${endState}`
  return endState === endValue && open.length === 0 ? undefined : 'unexpected end of JSON input'
}

/** Whether a text that is valid for JSON.parse is nested too deep for Go. */
export function isTooDeep(text: string): boolean {
  if (text.length <= 2 * maxDepth) return false
  let opened = 0
  for (let index = 0; index < text.length; index++) {
    const character = text.charCodeAt(index)
    if (character === code('[') || character === code('{')) opened += 1
  }
  return opened > maxDepth && jsonProblem(text) !== undefined
}

/** A byte as Go's strconv.Quote writes it. */
function quoted(byte: number): string {
  const character = String.fromCharCode(byte)
  if (character === "'") return "'\\''"
  const named: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }
  const hex = byte.toString(16)
  if (byte < 32 || byte === 127) return `'${named[character] ?? `\\x${hex.padStart(2, '0')}`}'`
  const isInvisible = (byte > 127 && byte <= 160) || byte === 173
  return `'${isInvisible ? `\\u${hex.padStart(4, '0')}` : (named[character] ?? character)}'`
}

function push(open: Open[], container: Open, next: State): State | string {
  open.push(container)
  return open.length > maxDepth ? 'exceeded max depth' : next
}

function pop(open: Open[]): State {
  open.pop()
  return endValue
}

const beginnings = new Map<number, (open: Open[]) => State | string>([
  [code('{'), (open) => push(open, 'key', beginKeyOrEnd)],
  [code('['), (open) => push(open, 'array', beginValueOrEnd)],
  [code('"'), () => inString],
  [code('-'), () => negative],
  [code('0'), () => afterInteger],
  [code('t'), () => literal('true', 1)],
  [code('f'), () => literal('false', 1)],
  [code('n'), () => literal('null', 1)],
])

function beginValue(open: Open[], byte: number): State | string {
  if (isSpace(byte)) return beginValue
  if (isDigit(byte) && byte !== code('0')) return integer
  return beginnings.get(byte)?.(open) ?? 'looking for beginning of value'
}

function beginValueOrEnd(open: Open[], byte: number): State | string {
  if (isSpace(byte)) return beginValueOrEnd
  return byte === code(']') ? pop(open) : beginValue(open, byte)
}

function beginKeyOrEnd(open: Open[], byte: number): State | string {
  if (isSpace(byte)) return beginKeyOrEnd
  return byte === code('}') ? pop(open) : beginKey(open, byte)
}

function beginKey(_open: Open[], byte: number): State | string {
  if (isSpace(byte)) return beginKey
  return byte === code('"') ? inString : 'looking for beginning of object key string'
}

function endValue(open: Open[], byte: number): State | string {
  if (isSpace(byte)) return endValue
  switch (open.at(-1)) {
    case undefined:
      return 'after top-level value'
    case 'key':
      if (byte !== code(':')) return 'after object key'
      open[open.length - 1] = 'value'
      return beginValue
    case 'value':
      if (byte === code('}')) return pop(open)
      if (byte !== code(',')) return 'after object key:value pair'
      open[open.length - 1] = 'key'
      return beginKey
    case 'array':
      if (byte === code(']')) return pop(open)
      return byte === code(',') ? beginValue : 'after array element'
  }
}

function inString(_open: Open[], byte: number): State | string {
  if (byte === code('"')) return endValue
  if (byte === code('\\')) return inEscape
  return byte < 32 ? 'in string literal' : inString
}

function inEscape(_open: Open[], byte: number): State | string {
  if (byte === code('u')) return hexDigits(4)
  return 'bfnrt\\/"'.includes(String.fromCharCode(byte)) ? inString : 'in string escape code'
}

function hexDigits(count: number): State {
  return (_open, byte) => {
    const isHex = /[0-9a-fA-F]/.test(String.fromCharCode(byte))
    if (!isHex) return 'in \\u hexadecimal character escape'
    return count === 1 ? inString : hexDigits(count - 1)
  }
}

function literal(word: string, offset: number): State {
  return (_open, byte) => {
    if (byte !== word.charCodeAt(offset)) return `in literal ${word} (expecting '${word.charAt(offset)}')`
    return offset + 1 === word.length ? endValue : literal(word, offset + 1)
  }
}

function negative(_open: Open[], byte: number): State | string {
  if (!isDigit(byte)) return 'in numeric literal'
  return byte === code('0') ? afterInteger : integer
}

function integer(open: Open[], byte: number): State | string {
  return isDigit(byte) ? integer : afterInteger(open, byte)
}

function afterInteger(open: Open[], byte: number): State | string {
  return byte === code('.') ? point : afterFraction(open, byte)
}

function point(_open: Open[], byte: number): State | string {
  return isDigit(byte) ? fraction : 'after decimal point in numeric literal'
}

function fraction(open: Open[], byte: number): State | string {
  return isDigit(byte) ? fraction : afterFraction(open, byte)
}

function afterFraction(open: Open[], byte: number): State | string {
  return byte === code('e') || byte === code('E') ? exponentSign : endValue(open, byte)
}

function exponentSign(open: Open[], byte: number): State | string {
  return byte === code('+') || byte === code('-') ? exponent : exponent(open, byte)
}

function exponent(_open: Open[], byte: number): State | string {
  return isDigit(byte) ? exponentDigits : 'in exponent of numeric literal'
}

function exponentDigits(open: Open[], byte: number): State | string {
  return isDigit(byte) ? exponentDigits : endValue(open, byte)
}
