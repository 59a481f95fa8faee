import type { CelEnvironment } from '../cel-library.js'
import { Comparable } from '../equality-key.js'
import { addFunctions } from './function-library.js'

const quantityPattern = /^([+-]?)(\d*)(?:\.(\d*))?(?:([eE][+-]?\d+)|([numkMGTPE]|[KMGTPE]i)?)$/
const decimal: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
}
const binary = 'KMGTPE'
const nano = 1_000_000_000n
const int64 = 2n ** 63n

/** A resource quantity, stored in billionths as in Kubernetes. */
class Quantity extends Comparable {
  readonly nanos: bigint

  constructor(nanos: bigint) {
    super()
    this.nanos = nanos
  }

  override equals(other: unknown): boolean {
    return other instanceof Quantity && other.nanos === this.nanos
  }

  override get equalityKey(): string {
    return `quantity ${this.nanos}`
  }

  compare(other: Quantity): bigint {
    if (this.nanos === other.nanos) return 0n
    return this.nanos < other.nanos ? -1n : 1n
  }

  get isInteger(): boolean {
    const wholeNumber = this.nanos / nano
    return this.nanos % nano === 0n && wholeNumber < int64 && wholeNumber >= -int64
  }
}

function parse(text: string): Quantity | undefined {
  const match = quantityPattern.exec(text)
  const [, sign, wholeDigits = '', fraction = '', exponent = '', suffix = ''] = match ?? []
  if (match === null || wholeDigits + fraction === '') return undefined
  const places = exponent === '' ? (decimal[suffix] ?? 0) : Number(exponent.slice(1))
  const digits = BigInt(wholeDigits + fraction) * 1024n ** BigInt(binaryPower(suffix))
  const value = shiftDecimalPoint(digits, 9 + places - fraction.length)
  return new Quantity(sign === '-' ? -value : value)
}

const binaryPower = (suffix: string) => (suffix.endsWith('i') ? binary.indexOf(suffix.charAt(0)) + 1 : 0)

/** Moves the decimal point; fractions of a billionth are rounded away from zero. */
function shiftDecimalPoint(digits: bigint, places: number): bigint {
  if (places >= 0) return digits * 10n ** BigInt(places)
  const divisor = 10n ** BigInt(-places)
  return (digits + divisor - 1n) / divisor
}

const format = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"

function quantityOf(text: string): Quantity {
  const quantity = parse(text)
  if (quantity === undefined) throw new Error(format)
  return quantity
}

function integerOf(quantity: Quantity): bigint {
  if (!quantity.isInteger) throw new Error('cannot convert value to integer')
  return quantity.nanos / nano
}

const quantityType = 'kubernetes.Quantity'

/** Adds Kubernetes' functions for quantities. */
export function addQuantities(environment: CelEnvironment): void {
  environment.registerType(quantityType, { ctor: Quantity, fields: {} })
  environment.registerOperator(`${quantityType} == ${quantityType}: bool`, (a: Quantity, b: Quantity) =>
    a.equals(b),
  )
  addFunctions(environment, {
    [`quantity(string): ${quantityType}`]: quantityOf,
    'isQuantity(string): bool': (text: string) => parse(text) !== undefined,
    [`sign(${quantityType}): int`]: (quantity: Quantity) => quantity.compare(new Quantity(0n)),
    [`${quantityType}.isGreaterThan(${quantityType}): bool`]: (a: Quantity, b: Quantity) =>
      a.compare(b) === 1n,
    [`${quantityType}.isLessThan(${quantityType}): bool`]: (a: Quantity, b: Quantity) => a.compare(b) === -1n,
    [`${quantityType}.compareTo(${quantityType}): int`]: (a: Quantity, b: Quantity) => a.compare(b),
    [`${quantityType}.asApproximateFloat(): double`]: ({ nanos }: Quantity) => Number(nanos) / 1e9,
    [`${quantityType}.asInteger(): int`]: integerOf,
    [`${quantityType}.isInteger(): bool`]: ({ isInteger }: Quantity) => isInteger,
    [`${quantityType}.add(${quantityType}): ${quantityType}`]: (a: Quantity, b: Quantity) =>
      new Quantity(a.nanos + b.nanos),
    [`${quantityType}.add(int): ${quantityType}`]: (a: Quantity, b: bigint) =>
      new Quantity(a.nanos + b * nano),
    [`${quantityType}.sub(${quantityType}): ${quantityType}`]: (a: Quantity, b: Quantity) =>
      new Quantity(a.nanos - b.nanos),
    [`${quantityType}.sub(int): ${quantityType}`]: (a: Quantity, b: bigint) =>
      new Quantity(a.nanos - b * nano),
  })
}
