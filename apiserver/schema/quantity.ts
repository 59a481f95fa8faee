/** A parsed quantity. */
export interface Quantity {
  /** The amount in billionths, rounded away from zero, which is the finest resolution. */
  readonly nano: bigint
  /** The format of the input, which is also used for output. */
  readonly form: 'decimal' | 'binary' | 'exponent'
}

const nanosPerUnit = 1_000_000_000n
/** The maximum of binary quantities; `maxAllowed` of apimachinery. */
const maxBinary = (2n ** 63n - 1n) * nanosPerUnit
const quantityPattern = /^[+-]?[0-9.]+[eEinumkKMGTP]*[-+]?[0-9]*$/
const quantityParts = /^([+-]?)(\d*)(?:\.(\d*))?(.*)$/
const decimalSuffixes = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E']
const binarySuffixes = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei']

/** Error for an invalid quantity; the message is that of apimachinery's `resource.ParseQuantity`. */
export class QuantityProblem extends Error {
  override readonly name = 'QuantityProblem'
}

/**
 * Parses a quantity such as `100m`, `1.5Gi` or `1e3`. Throws a {@link QuantityProblem}.
 * https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/
 */
export function parseQuantity(text: string): Quantity {
  const [, sign, wholeDigits = '', fraction = '', suffix = ''] = quantityParts.exec(text) ?? []
  if (!quantityPattern.test(text) || suffix.startsWith('.')) {
    const pattern = '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'
    throw new QuantityProblem(`quantities must match the regular expression '${pattern}'`)
  }
  const { factor, divisor, form } = scaleOf(suffix)
  const digits = BigInt(`${wholeDigits}${fraction}` || '0')
  const nano = divideRoundingUp(digits * factor * nanosPerUnit, divisor * 10n ** BigInt(fraction.length))
  const capped = form === 'binary' && nano > maxBinary ? maxBinary : nano
  const isSmall = form === 'binary' && capped > 0n && capped < nanosPerUnit
  return { nano: sign === '-' ? -capped : capped, form: isSmall ? 'decimal' : form }
}

interface Scale extends Pick<Quantity, 'form'> {
  readonly factor: bigint
  readonly divisor: bigint
}

function scaleOf(suffix: string): Scale {
  const binary = suffix === '' ? -1 : binarySuffixes.indexOf(suffix)
  if (binary > 0) return { factor: 1024n ** BigInt(binary), divisor: 1n, form: 'binary' }
  const decimal = decimalSuffixes.indexOf(suffix)
  if (decimal >= 0) return { ...powerOfTen(3 * (decimal - 3)), form: 'decimal' }
  const exponent = /^[eE]([+-]?\d+)$/.exec(suffix)?.[1]
  if (exponent === undefined) throw new QuantityProblem("unable to parse quantity's suffix")
  return { ...powerOfTen(Number(exponent)), form: 'exponent' }
}

function powerOfTen(exponent: number): Omit<Scale, 'form'> {
  const power = 10n ** BigInt(Math.min(Math.abs(exponent), 100))
  return exponent < 0 ? { factor: 1n, divisor: power } : { factor: power, divisor: 1n }
}

function divideRoundingUp(value: bigint, divisor: bigint): bigint {
  return (value + divisor - 1n) / divisor
}

/** Formats a quantity as the API does: with the largest suffix that leaves an integer. */
export function formatQuantity({ nano, form }: Quantity): string {
  if (nano === 0n) return '0'
  const size = nano < 0n ? -nano : nano
  const sign = nano < 0n ? '-' : ''
  if (form === 'binary' && size >= 1024n * nanosPerUnit) {
    const [number, times] = divideRepeatedly(
      divideRoundingUp(size, nanosPerUnit),
      1024n,
      binarySuffixes.length - 1,
    )
    return `${sign}${number}${binarySuffixes[times]}`
  }
  const [number, times] = divideRepeatedly(size, 1000n, decimalSuffixes.length - 1)
  if (form !== 'exponent') return `${sign}${number}${decimalSuffixes[times]}`
  return `${sign}${number}${times === 3 ? '' : `e${3 * (times - 3)}`}`
}

/** The number divided by `base` as often as possible, and the number of divisions. */
function divideRepeatedly(value: bigint, base: bigint, max: number): [bigint, number] {
  let [number, times] = [value, 0]
  while (times < max && number % base === 0n) {
    number /= base
    times += 1
  }
  return [number, times]
}

/** The quantity rounded up to thousandths, the unit of container resources. */
export function roundToMilli(text: string): string {
  // Only these suffixes are smaller than thousandths.
  if (!/[nu]$/.test(text)) return text
  const { nano, form } = parseQuantity(text)
  const milli = 1_000_000n
  const rounded = nano < 0n ? -divideRoundingUp(-nano, milli) : divideRoundingUp(nano, milli)
  return formatQuantity({ nano: rounded * milli, form })
}
