/** The effect of a fault rule on a matching request. */
export type FaultAction =
  | DelayFault
  | StatusFault
  | ResetFault
  | StaleFault
  | ResetWatchFault
  | CutWatchFault
  | StallWatchFault
  | DelayEventsFault
  | DuplicateEventsFault
  | CoalesceEventsFault

/** Serves the request, or opens the watch, later. */
export interface DelayFault {
  readonly type: 'delay'
  /** Milliseconds of the server's clock. */
  readonly delayMs: number
}

/** Answers with a failure; the request does not reach the server's verbs. */
export interface StatusFault {
  readonly type: 'status'
  /** The HTTP status, 400 or higher. */
  readonly code: number
  /** Default the one Kubernetes uses with the code. */
  readonly reason?: string
  /** Default a sentence that names the fault. */
  readonly message?: string
  /** Also sent as the `Retry-After` header; none by default. */
  readonly retryAfterSeconds?: number
}

/** Breaks the connection of a request, or of a watch while it is being opened. */
export interface ResetFault {
  readonly type: 'reset'
  /**
   * `before` the server has done anything, or `after` it has done everything, so that only the response is
   * lost.
   */
  readonly when: 'before' | 'after'
  /** Whether an HTTP/2 connection breaks as a whole and not only this request; default false. */
  readonly wholeConnection?: boolean
}

/**
 * Gets, lists and watches read the state at a revision until the rule is removed; then watches catch up.
 * Writes are not affected: they use the current state.
 */
export interface StaleFault {
  readonly type: 'stale'
  /** The last visible resourceVersion; the history must reach back to it. */
  readonly resourceVersion: string
}

/** Breaks a watch in the middle of a line. */
export interface ResetWatchFault {
  readonly type: 'resetWatch'
  /** Number of whole lines before the break, including bookmarks; default 0. */
  readonly afterEvents?: number
  /** As in {@link ResetFault}. */
  readonly wholeConnection?: boolean
}

/** Breaks a watch some time after it was opened, even if it is idle. */
export interface CutWatchFault {
  readonly type: 'cutWatch'
  /** Milliseconds of the server's clock. */
  readonly afterMs: number
  /** As in {@link ResetFault}. */
  readonly wholeConnection?: boolean
}

/** Stops all output of a watch, including bookmarks, until the rule is removed. */
export interface StallWatchFault {
  readonly type: 'stallWatch'
  /** Number of whole lines before the stall, including bookmarks; default 0. */
  readonly afterEvents?: number
}

/** Delays the events of a watch and sends them in portions. */
export interface DelayEventsFault {
  readonly type: 'delayEvents'
  /** The delay of each portion, in milliseconds of the server's clock. */
  readonly delayMs: number
}

/** Sends every line of a watch twice. */
export interface DuplicateEventsFault {
  readonly type: 'duplicateEvents'
}

/** Replaces several events of one object within a time window by their net result. */
export interface CoalesceEventsFault {
  readonly type: 'coalesceEvents'
  /** Milliseconds of the server's clock from the first event of a window. */
  readonly windowMs: number
}
