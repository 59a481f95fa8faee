import type { ResourceList } from '../../kinds/pod-spec/spec.js'
import { formatQuantity, parseQuantity, type Quantity } from '../../schema/quantity.js'

/** Quantities by the names that a quota uses, for example `requests.cpu`. */
export type Amounts = Readonly<Record<string, Quantity>>

/** The quantity 0. */
export const zero: Quantity = { nano: 0n, form: 'decimal' }
/** The quantity 1, for one object. */
export const one: Quantity = { nano: 1_000_000_000n, form: 'decimal' }

/** The quantities of texts. */
export function amountsOf(texts: ResourceList = {}): Amounts {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, parseQuantity(text)]))
}

/** The texts of quantities, as the API stores them. */
export function textsOf(amounts: Amounts): ResourceList {
  return Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, formatQuantity(amount)]))
}

/** Adds two lists; a sum has the form of the first quantity that is not zero. */
export function add(a: Amounts, b: Amounts): Amounts {
  const sums = Object.entries(b).map(([name, amount]) => {
    const before = a[name]
    if (before === undefined || before.nano === 0n) return [name, amount] as const
    return [name, { ...before, nano: before.nano + amount.nano }] as const
  })
  return { ...a, ...Object.fromEntries(sums) }
}

/** The increase from `before` to `after`; a decrease counts as nothing. */
export function increase(after: Amounts, before: Amounts): Amounts {
  return mapAmounts(after, (amount, name) => {
    const nano = amount.nano - (before[name]?.nano ?? 0n)
    return nano > 0n ? { ...amount, nano } : zero
  })
}

/** The amounts of the given names. */
export function pick(amounts: Amounts, names: readonly string[]): Amounts {
  return Object.fromEntries(Object.entries(amounts).filter(([name]) => names.includes(name)))
}

/** The amounts that are not zero. */
export function withoutZeros(amounts: Amounts): Amounts {
  return Object.fromEntries(Object.entries(amounts).filter(([, { nano }]) => nano !== 0n))
}

function mapAmounts(amounts: Amounts, change: (amount: Quantity, name: string) => Quantity): Amounts {
  return Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, change(amount, name)]))
}
