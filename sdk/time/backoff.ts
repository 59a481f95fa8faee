/** Options of {@link backoffMs}. */
export interface BackoffOptions {
  /** The ceiling of the first delay, in milliseconds; it doubles with each attempt. */
  baseMs: number
  /** The ceiling of every delay, in milliseconds. */
  maxMs: number
  /** The least part of the ceiling that is waited, 0 to 1; default 0, which spreads callers the most. */
  leastShare?: number
  /** A number from 0 up to 1; default `Math.random`. */
  random?: () => number
}

/**
 * How long to wait before the next attempt, in milliseconds: exponential with full jitter. `attempt` counts
 * the failures so far from 0.
 */
export function backoffMs(
  attempt: number,
  { baseMs, maxMs, leastShare = 0, random = Math.random }: BackoffOptions,
): number {
  const ceilingMs = Math.min(maxMs, baseMs * 2 ** attempt)
  return ceilingMs * (leastShare + (1 - leastShare) * random())
}
