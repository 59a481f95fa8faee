/** The progress of the start: the first lists, then the first run of every key. */
export interface ProgressView {
  readonly step: 'listed' | 'synced'
  readonly done: number
  /** The number of objects or keys in this step; null while it is unknown. */
  readonly total: number | null
  /** The mean rate since the step began; null at its beginning. */
  readonly perSecond: number | null
  /** The expected time to the end of the step at that rate, in milliseconds; null if it is unknown. */
  readonly leftMs: number | null
}
