/** What a run may ask for; `undefined` means: rest until something changes. */
export interface Outcome {
  /** Run this key again after so many milliseconds, unless a change wakes it before. */
  requeueAfterMs?: number
}

/** The answer of a syncer's methods. */
export type SyncResult = Promise<Outcome | undefined> | Promise<void>
