import { until as untilTrue } from '../until.js'

/** Options of {@link until}. */
export interface UntilOptions {
  /** See there. Default 120 s. */
  withinMs?: number
}

/**
 * Waits until a condition on a node is true. Most conditions start a program, so three quarters of the time are left to
 * the Pods that are waited for.
 */
export const until = (isTrue: () => boolean | Promise<boolean>, options: UntilOptions = {}): Promise<void> =>
  untilTrue(isTrue, { ...options, everyMs: (tookMs) => Math.max(50, 3 * tookMs) })
