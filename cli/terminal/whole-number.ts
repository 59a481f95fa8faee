import { UsageError } from './usage-error.js'

/**
 * Throws `UsageError` unless the value of a flag is a whole number of the range. yargs reads any other text as NaN;
 * `given` is the text, if it is known.
 */
export function checkWholeNumber(
  flag: string,
  value: number,
  { min, max, given }: { min: number; max?: number; given?: string },
): void {
  if (Number.isInteger(value) && value >= min && value <= (max ?? value)) return
  const range = max === undefined ? `of at least ${min}` : `from ${min} to ${max}`
  const text = given === undefined ? 'something that is not a number' : JSON.stringify(given)
  const shownValue = Number.isNaN(value) ? text : value
  throw new UsageError(`${flag} must be an integer ${range}, got ${shownValue}`)
}
