/** The maximum time that a program may wait at once, in milliseconds: 24 h. */
const maxTimeMs = 86_400_000

/**
 * A time that a program gives. Throws `TypeError` unless it is a number of at most 24 h: the sum of a text and a number
 * would be a text, which no time reaches.
 */
export function checkedTime(value: unknown, name: string): number {
  if (typeof value === 'number' && value >= 0 && value <= maxTimeMs) return value
  throw new TypeError(
    `${name} must be a number of milliseconds, at most ${maxTimeMs} (24 h), ` +
      `got ${typeof value === 'number' ? value : typeof value}`,
  )
}
