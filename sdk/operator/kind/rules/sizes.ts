// Sizes of values in CEL rules, from which the cost of an expression is estimated: characters of a text, elements of a
// list, entries of a map. Costs and factors are those of https://github.com/google/cel-go, which kube-apiserver uses.

/** The smallest and the largest size of a value. */
export interface Size {
  readonly min: number
  readonly max: number
}

/** The sizes of the keys and the values of a list or a map that an expression makes. */
export interface EntrySizes {
  readonly container: 'list' | 'map'
  readonly key: Size
  readonly value: Size
}

/** The cost of reading a text, for each character. */
export const textFactor = 0.1
/** The cost of a regular expression, for each character of it. */
export const patternFactor = 0.25

/** The size of a value about which nothing is known. */
export const anySize: Size = { min: 0, max: Number.POSITIVE_INFINITY }

/** The size of a value whose size is known exactly. */
export const exactly = (size: number): Size => ({ min: size, max: size })

/** A product in which 0 times Infinity is 0: a loop over nothing costs nothing. */
export const times = (a: number, b: number) => (a === 0 || b === 0 ? 0 : a * b)

/** The cost of reading a size at a cost per unit, rounded up. */
export const partOf = (size: number, factor: number) => Math.ceil(times(size, factor))

/** The size of one of two values. */
export const eitherSize = (a: Size, b: Size): Size => ({
  min: Math.min(a.min, b.min),
  max: Math.max(a.max, b.max),
})

/** The sizes of the entries of one of two values; unknown if the sizes of either are unknown. */
export function eitherEntries(a: EntrySizes | undefined, b: EntrySizes | undefined): EntrySizes | undefined {
  if (a === undefined || b === undefined) return undefined
  return { container: a.container, key: eitherSize(a.key, b.key), value: eitherSize(a.value, b.value) }
}
