import { UsageError } from './usage-error.js'

/** Throws `UsageError` unless the value of a flag is a whole number of the range. yargs reads any other text as NaN. */
export function checkWholeNumber(
  flag: string,
  value: number,
  { least, most }: { least: number; most?: number },
): void {
  if (Number.isInteger(value) && value >= least && value <= (most ?? value)) return
  const range = most === undefined ? `of at least ${least}` : `from ${least} to ${most}`
  const got = Number.isNaN(value) ? 'something that is not a number' : value
  throw new UsageError(`${flag} must be an integer ${range}, got ${got}`)
}
