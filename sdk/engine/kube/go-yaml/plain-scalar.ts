/**
 * The meaning of a plain YAML scalar in a kube-apiserver: its parser follows YAML 1.1 for booleans and
 * numbers, accepts octal numbers with `0` or `0o`, and treats times and sexagesimal numbers as text. See
 * resolve.go of go.yaml.in/yaml/v2 @ v2.4.3.
 */

/** A value of JSON, as its text. */
export type JsonText = string

const trueWords = new Set(['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'])
const falseWords = new Set(['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'])
const nullWords = new Set(['', '~', 'null', 'Null', 'NULL'])
const notFiniteWords: ReadonlyMap<string, string> = new Map(
  [
    ['.nan', 'NaN'],
    ['.inf', '+Inf'],
    ['+.inf', '+Inf'],
    ['-.inf', '-Inf'],
  ].flatMap(([text = '', go = '']) => [
    [text, go],
    [text.replace('inf', 'Inf').replace('nan', 'NaN'), go],
    [text.toUpperCase(), go],
  ]),
)

const integerForm = /^([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|0[oO]?([0-7]+)|([1-9]\d*|0))$/
const floatForm = /^[-+]?(\.\d+|\d+(\.\d*)?)([eE][-+]?\d+)?$/

const minInteger = -(2n ** 63n)
const maxInteger = 2n ** 64n - 1n

/**
 * A boolean, `null` or number as JSON; undefined for text. Throws `SyntaxError` for a number that JSON does
 * not support.
 */
export function plainScalar(text: string): JsonText | undefined {
  if (trueWords.has(text)) return 'true'
  if (falseWords.has(text)) return 'false'
  if (nullWords.has(text)) return 'null'
  const notFinite = notFiniteWords.get(text)
  if (notFinite !== undefined) throw new SyntaxError(`json: unsupported value: ${notFinite}`)
  return /^[-+.\d]/.test(text) ? numberOf(text) : undefined
}

/** Underscores may be anywhere after the first digit, but not in a number that starts with a point. */
function numberOf(text: string): JsonText | undefined {
  const digits = text.startsWith('.') ? text : text.replaceAll('_', '')
  return integerOf(digits) ?? floatOf(digits)
}

function integerOf(text: string): JsonText | undefined {
  const [, sign, hex, binary, octal, decimal] = integerForm.exec(text) ?? []
  const magnitude = hex ? `0x${hex}` : binary ? `0b${binary}` : octal ? `0o${octal}` : decimal
  if (magnitude === undefined) return undefined
  const value = sign === '-' ? -BigInt(magnitude) : BigInt(magnitude)
  return value >= minInteger && value <= maxInteger ? String(value) : undefined
}

function floatOf(text: string): JsonText | undefined {
  if (!floatForm.test(text)) return undefined
  const value = Number(text)
  if (!Number.isFinite(value)) return undefined
  return Object.is(value, -0) ? '-0' : String(value)
}
