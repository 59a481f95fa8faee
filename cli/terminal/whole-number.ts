import { UsageError } from './usage-error.js'

/** Throws `UsageError` unless the value of a flag is a whole number of the range. yargs reads any other text as NaN. */
export function checkWholeNumber(
  flag: string,
  value: number,
  { min, max }: { min: number; max?: number },
): void {
  if (Number.isInteger(value) && value >= min && value <= (max ?? value)) return
  const range = max === undefined ? `of at least ${min}` : `from ${min} to ${max}`
  const shownValue = Number.isNaN(value) ? 'something that is not a number' : value
  throw new UsageError(`${flag} must be an integer ${range}, got ${shownValue}`)
}
