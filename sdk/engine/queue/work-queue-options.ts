import type { Key } from '../kube/key.js'
import type { Metrics } from '../observe/metrics.js'
import type { Clock } from '../time/clock.js'

/** Options of `WorkQueue`. */
export interface WorkQueueOptions {
  /** The label `name` of the queue's metrics; default none. */
  name?: string
  /** Default the machine's clock. */
  clock?: Clock
  /** Default none. */
  metrics?: Metrics
  /** Jitter of retries: a number from 0 up to 1; default `Math.random`. */
  random?: () => number
  /** The upper bound of a key's first retry delay, in milliseconds; it doubles with each failure. Default 5. */
  retryBaseMs?: number
  /** The upper bound of every retry delay, in milliseconds; default 1,000,000. */
  retryMaxMs?: number
  /** How many keys are served at a time, from which the limit per namespace is computed; default no limit. */
  workers?: number
  /**
   * Returns the group of a key that is about to be served. Keys of one group are never served at the same time. A key
   * with the group `undefined` waits for no other key. Default none. Must be quick, and must not throw.
   */
  groupOf?: (key: Key) => string | undefined
  /** How many keys may begin to be served in any second; default no limit. */
  maxRunsPerSecond?: number
}
