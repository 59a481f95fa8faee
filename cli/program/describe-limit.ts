import { moreTime, readLimit } from './time-limit.js'

const limitOfDescriptions = { variable: 'VCLUSTER_PLUGIN_DESCRIBE_TIMEOUT', standard: 30 }

/**
 * The time limit for a program that prints what it consists of, in seconds. `VCLUSTER_PLUGIN_DESCRIBE_TIMEOUT` sets
 * another one, for slow machines. Throws `UsageError` unless that is a whole number.
 */
export const describeLimit = (env: NodeJS.ProcessEnv): number => readLimit(limitOfDescriptions, env)

/** The end of a message about a program that took longer. */
export const longerLimit = (limit: number): string =>
  `within ${limit} s; ${moreTime(limitOfDescriptions, limit)}`
