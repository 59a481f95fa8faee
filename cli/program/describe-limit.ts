import { checkWholeNumber } from '../terminal/whole-number.js'

const defaultLimit = 30
const maxLimit = 3600
const variable = 'VCLUSTER_PLUGIN_DESCRIBE_TIMEOUT'

/**
 * The time limit for a program that prints what it consists of, in seconds. `VCLUSTER_PLUGIN_DESCRIBE_TIMEOUT` sets
 * another one, for slow machines. Throws `UsageError` unless that is a whole number.
 */
export function describeLimit({ [variable]: text = `${defaultLimit}` }: NodeJS.ProcessEnv): number {
  const limit = text === '' ? Number.NaN : Number(text)
  checkWholeNumber(`${variable} (seconds)`, limit, { min: 1, max: maxLimit, given: text })
  return limit
}

/** The end of a message about a program that took longer. */
export const longerLimit = (limit: number): string =>
  `within ${limit} s; if it only needs more time, set ${variable}=${Math.min(limit * 4, maxLimit)} (seconds)`
