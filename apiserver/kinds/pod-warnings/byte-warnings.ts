import { textAt } from '../../base/object.js'
import { parseQuantity } from '../../schema/quantity.js'

const nanosPerUnit = 1_000_000_000n
const milli = 1_000_000n

/** The warning for an amount of bytes that is not an integer, at its path. */
export function fractionalBytes(path: string, amounts: unknown, resource: string): string[] {
  const quantity = textAt(amounts, resource)
  if (quantity === '') return []
  const { nano } = parseQuantity(quantity)
  // Go rounds up to thousandths before it looks.
  const isWhole = ((nano + milli - 1n) / milli) % (nanosPerUnit / milli) === 0n
  return isWhole
    ? []
    : [`${path}[${resource}]: fractional byte value "${quantity}" is invalid, must be an integer`]
}
