/** The smallest and the largest size of a value. */
export interface Size {
  readonly least: number
  readonly most: number
}

/** The sizes of the keys and the values of a list or a map that an expression makes. */
export interface EntrySizes {
  readonly container: 'list' | 'map'
  readonly key: Size
  readonly value: Size
}

/** The part of the size of a text that reading it costs. */
export const textFactor = 0.1
/** The part of the size of a regular expression that its use costs. */
export const patternFactor = 0.25

/** The size of a value about which nothing is known. */
export const anySize: Size = { least: 0, most: Number.POSITIVE_INFINITY }

/** A size that is known. */
export const exactly = (size: number): Size => ({ least: size, most: size })

/** `0 * Infinity` is nothing. */
export const times = (a: number, b: number) => (a === 0 || b === 0 ? 0 : a * b)

/** A part of a size, rounded up. */
export const partOf = (size: number, factor: number) => Math.ceil(times(size, factor))

/** The size of one of two values. */
export const eitherSize = (a: Size, b: Size): Size => ({
  least: Math.min(a.least, b.least),
  most: Math.max(a.most, b.most),
})

/** The sizes of the entries of one of two values; unknown if those of one of them are. */
export function eitherEntries(a: EntrySizes | undefined, b: EntrySizes | undefined): EntrySizes | undefined {
  if (a === undefined || b === undefined) return undefined
  return { container: a.container, key: eitherSize(a.key, b.key), value: eitherSize(a.value, b.value) }
}
