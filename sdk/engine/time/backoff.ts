/** Options of {@link backoffMs}. */
export interface BackoffOptions {
  /** The upper bound of the first delay, in milliseconds; it doubles with each attempt. */
  baseMs: number
  /** The upper bound of every delay, in milliseconds. */
  maxMs: number
  /** The lower bound of a delay as a share of its upper bound, 0 to 1; default 0, which spreads callers the most. */
  leastShare?: number
  /** A number from 0 up to 1; default `Math.random`. */
  random?: () => number
}

/**
 * Returns the delay before the next attempt, in milliseconds: exponential backoff with full jitter. `attempt` counts
 * the earlier failures, from 0.
 */
export function backoffMs(
  attempt: number,
  { baseMs, maxMs, leastShare = 0, random = Math.random }: BackoffOptions,
): number {
  const ceilingMs = Math.min(maxMs, baseMs * 2 ** attempt)
  return ceilingMs * (leastShare + (1 - leastShare) * random())
}
