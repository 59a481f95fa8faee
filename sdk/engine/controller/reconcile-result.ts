/**
 * The result of a run. `undefined` means: wait until something changes.
 *
 * @example
 * ```ts
 * const again: ReconcileResult = { requeueAfterMs: 30_000 }
 * ```
 */
export interface ReconcileResult {
  /**
   * Run this key again after this many milliseconds, unless a change triggers it earlier. 0 means soon: after 5 ms, and
   * twice as long each time in a row, as after a failed run.
   */
  requeueAfterMs?: number
}
