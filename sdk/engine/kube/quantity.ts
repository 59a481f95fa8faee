/**
 * Quantities as Kubernetes writes them, `500m`, `1.5Gi` or `1e3`, compared by value.
 *
 * See https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/
 */
const pattern = /^([+-]?)(\d*)(?:\.(\d*))?([KMGTPE]i|[numkMGTPE]|[eE][+-]?\d{1,3})?$/

const binary = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei']
const decimal: Record<string, number> = { n: -9, u: -6, m: -3, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 }

/** A value as `digits × 10^exponent`. */
interface Decimal {
  digits: bigint
  exponent: number
}

/**
 * Whether two values are the same quantity; `false` if one of them is not a quantity.
 *
 * @example
 * ```ts
 * isSameQuantity('1000m', 1) // true
 * ```
 */
export function isSameQuantity(a: unknown, b: unknown): boolean {
  const [left, right] = [parseQuantity(a), parseQuantity(b)]
  if (!left || !right) return false
  const exponent = Math.min(left.exponent, right.exponent)
  return scaleTo(left, exponent) === scaleTo(right, exponent)
}

const scaleTo = ({ digits, exponent }: Decimal, to: number) => digits * 10n ** BigInt(exponent - to)

function parseQuantity(value: unknown): Decimal | undefined {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint') return undefined
  const [, sign, whole = '', fraction = '', suffix = ''] = pattern.exec(String(value)) ?? []
  if (sign === undefined || whole + fraction === '') return undefined
  const digits = BigInt(whole + fraction) * (sign === '-' ? -1n : 1n) * binaryFactor(suffix)
  return { digits, exponent: decimalExponent(suffix) - fraction.length }
}

function binaryFactor(suffix: string): bigint {
  return 1024n ** BigInt(binary.indexOf(suffix) + 1)
}

function decimalExponent(suffix: string): number {
  return decimal[suffix] ?? (/\d$/.test(suffix) ? Number(suffix.slice(1)) : 0)
}
