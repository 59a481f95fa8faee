import { checkWholeNumber } from '../terminal/whole-number.js'

const maxLimit = 3600

/** A time limit in seconds that an environment variable changes, for slow machines. */
export interface TimeLimit {
  readonly variable: string
  /** The limit without the variable. */
  readonly standard: number
}

/** Reads a limit, in seconds. Throws `UsageError` unless the variable is a whole number. */
export function readLimit({ variable, standard }: TimeLimit, env: NodeJS.ProcessEnv): number {
  const text = env[variable] ?? `${standard}`
  const limit = text === '' ? Number.NaN : Number(text)
  checkWholeNumber(`${variable} (seconds)`, limit, { min: 1, max: maxLimit, given: text })
  return limit
}

/** Advice for a program that only needs more time than a limit, at the end of a message. */
export const moreTime = ({ variable }: TimeLimit, limit: number): string =>
  `if it only needs more time, set ${variable}=${Math.min(limit * 4, maxLimit)} (seconds)`
