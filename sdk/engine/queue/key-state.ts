/** The state of a key in a `WorkQueue`. */
export interface KeyState {
  /** Whether the key waits for a worker, also for another run after the current one. */
  readonly isWaiting: boolean
  readonly isRunning: boolean
  /** The time until the key's delay ends, in milliseconds; undefined without a delay. */
  readonly dueInMs: number | undefined
  /** The number of retries in a row. */
  readonly failures: number
}
