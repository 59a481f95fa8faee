const DECIMAL = /^(0|[1-9][0-9]*)$/

/**
 * Which of two resourceVersions of one resource is later: negative when `a` is earlier, 0 when they are the
 * same, positive when `a` is later, `undefined` when one of them is no decimal number and so cannot be
 * compared. See KEP-5504, Comparable Resource Version.
 */
export function compareResourceVersions(a: string | undefined, b: string | undefined): number | undefined {
  if (a === undefined || b === undefined || !DECIMAL.test(a) || !DECIMAL.test(b)) return undefined
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
