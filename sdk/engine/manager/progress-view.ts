/** How far the start is: the first lists, then the first run of every key. */
export interface ProgressView {
  readonly step: 'listed' | 'synced'
  readonly done: number
  /** Null while that is not known. */
  readonly total: number | null
  /** The mean since the step began; null at its beginning. */
  readonly perSecond: number | null
  /** How long the rest takes at that rate; null if it is unknown. */
  readonly leftMs: number | null
}
