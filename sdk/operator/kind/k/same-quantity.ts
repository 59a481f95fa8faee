import { isSameQuantity as isSame } from '../../../engine/kube/quantity.js'
import { quantityPattern } from './scalars.js'

/**
 * Whether two quantities are the same amount: `1000m` and `1`, or `1Gi` and `1024Mi`. The API server does not rewrite
 * the quantities of custom resources, so a comparison as text would find differences between equal amounts.
 *
 * @throws `TypeError` if one of them is not a quantity
 * @example
 * ```ts
 * k.sameQuantity('1000m', 1) // true
 * ```
 */
export function sameQuantity(a: string | number, b: string | number): boolean {
  for (const quantity of [a, b]) {
    if (quantityPattern.test(String(quantity))) continue
    throw new TypeError(`${JSON.stringify(quantity)} is not a quantity; write for example 500m, 1.5 or 10Gi`)
  }
  return isSame(a, b)
}
