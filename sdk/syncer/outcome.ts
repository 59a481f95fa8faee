/** What a run may ask for; `undefined` means: rest until something changes. */
export interface Outcome {
  /**
   * Run this key again after so many milliseconds, unless a change wakes it before. 0 means soon: after 5 ms, and twice
   * that each time in a row, as of a run that failed.
   */
  requeueAfterMs?: number
}

/** The answer of a syncer's methods. */
export type SyncResult = Promise<Outcome | undefined> | Promise<void>
