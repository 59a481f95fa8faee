/**
 * A time that a program gives. Throws `TypeError` unless it is a number: the sum of a text and a number would be a
 * text, which no time reaches.
 */
export function checkedTime(value: unknown, name: string): number {
  if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value
  throw new TypeError(
    `${name} must be a number of milliseconds, got ${typeof value === 'number' ? value : typeof value}`,
  )
}
