import { parseGoTime } from './go-time.js'
import { formatQuantity, parseQuantity, QuantityProblem } from './quantity.js'
import { TypeMismatch } from './type-mismatch.js'

/** The index of the first invalid base64 character; undefined for valid base64. */
export function badBase64(text: string): number | undefined {
  const bad = /[^A-Za-z0-9+/=\r\n]/.exec(text)
  if (bad !== null) return bad.index
  const digits = text.replace(/[\r\n]/g, '')
  return digits.length % 4 === 0 ? undefined : 4 * Math.floor(digits.length / 4)
}

/** A quantity in its canonical form. Throws a {@link TypeMismatch}. */
export function readQuantity(text: string): string {
  try {
    return formatQuantity(parseQuantity(text))
  } catch (error) {
    if (error instanceof QuantityProblem) throw new TypeMismatch(error.message)
    throw error
  }
}

/** A time in Go's format. Throws a {@link TypeMismatch}. */
export function readTime(text: string, form: 'time' | 'microTime'): string {
  const read = parseGoTime(text, form === 'microTime')
  if ('problem' in read) throw new TypeMismatch(read.problem)
  return read.text
}

/** Whether a value is an integer. */
export function isWhole(value: unknown): boolean {
  return typeof value === 'bigint' || Number.isInteger(value)
}

/** The lowest bits of an integer that does not fit into its field, as in Go's converter. */
export function truncateInteger(
  value: number | bigint,
  type: { readonly isLong?: boolean },
): number | bigint {
  if (isIntegerOf(value, type)) return value
  const wholeNumber = BigInt(value)
  return type.isLong === true ? BigInt.asIntN(64, wholeNumber) : Number(BigInt.asIntN(32, wholeNumber))
}

/** Whether a value is an integer that fits into its field. */
export function isIntegerOf(value: unknown, { isLong = false }: { readonly isLong?: boolean }): boolean {
  if (typeof value === 'bigint') return isLong && BigInt.asIntN(64, value) === value
  return Number.isInteger(value) && (isLong || Math.abs(Number(value) + 0.5) < 2 ** 31)
}
