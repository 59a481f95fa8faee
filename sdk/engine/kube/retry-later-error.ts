/**
 * A failure that is not about the object of the run: the key is run again after `retryInMs` milliseconds, without a log
 * line, and does not count towards quarantine.
 */
export abstract class RetryLaterError extends Error {
  /** How long to wait, in milliseconds. */
  abstract readonly retryInMs: number
}
