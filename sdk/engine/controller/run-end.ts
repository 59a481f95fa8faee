import type { Key } from '../kube/key.js'

/**
 * How a run of a key ended: the run did its work, it asked to be called again, a foreign object has the name that the
 * run needs, the run failed for good, or the run failed and is retried.
 */
export type RunResult = 'success' | 'requeue_after' | 'name_conflict' | 'terminal_error' | 'error'

/** The end of a run: its key, its result and how long it took, for observers. */
export interface RunEnd {
  readonly key: Key
  readonly result: RunResult
  readonly durationMs: number
  /** The time from a change until this run had handled it, in milliseconds; left out if no change enqueued the key. */
  readonly lagMs?: number
  /** The time until the key runs again by itself, in milliseconds; left out if it runs only after a change. */
  readonly nextInMs?: number
  /**
   * Whether the run asked to be called again soon (`requeueAfterMs: 0`), so that `nextInMs` doubles each time in a row.
   */
  readonly isSoon?: true
  /** The error that the run threw. */
  readonly error?: unknown
}
