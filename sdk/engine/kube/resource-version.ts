import type { KubeObject } from './object.js'

const decimalForm = /^(0|[1-9][0-9]*)$/

/**
 * Compares two resourceVersions of one resource: negative when `a` is earlier, 0 when they are the
 * same, positive when `a` is later, `undefined` when one of them is not a decimal number and so cannot be
 * compared. See KEP-5504, Comparable Resource Version.
 */
export function compareResourceVersions(a: string | undefined, b: string | undefined): number | undefined {
  if (a === undefined || b === undefined || !decimalForm.test(a) || !decimalForm.test(b)) return undefined
  // Longer is larger, since there are no leading zeros; a number could not hold all 64 bits.
  if (a.length !== b.length) return a.length - b.length
  return a < b ? -1 : a > b ? 1 : 0
}

/** Whether `a` is known to be earlier than `b`. */
export function isEarlier(a: string | undefined, b: string | undefined): boolean {
  return (compareResourceVersions(a, b) ?? 0) < 0
}

/** Whether `a` is known to be later than `b`. */
export function isLater(a: string | undefined, b: string | undefined): boolean {
  return isEarlier(b, a)
}

/** The later of two resourceVersions. If one is missing, the other; if they cannot be compared, `a`. */
export function laterOf(a: string | undefined, b: string | undefined): string | undefined {
  return a === undefined || isEarlier(a, b) ? (b ?? a) : a
}

/** The difference from `from` to `to`; 0 if `to` is not later, or if they cannot be compared. */
export function distanceBetween(from: string | undefined, to: string | undefined): number {
  if (from === undefined || to === undefined || !isEarlier(from, to)) return 0
  return Number(BigInt(to) - BigInt(from))
}

/**
 * The objects of one resource, the last changed first. The order is a guess if their resourceVersions cannot be
 * compared.
 */
export function newestFirst<T extends KubeObject>(objects: readonly T[]): T[] {
  const aged = objects.map((object) => ({ object, age: -Number(object.metadata.resourceVersion) || 0 }))
  return aged.sort((a, b) => a.age - b.age).map(({ object }) => object)
}
