/** What a fault rule does to a request it acts on. */
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
  /** `before` the server has done anything, or `after` it has done all and only the answer is lost. */
  readonly when: 'before' | 'after'
  /** Whether an HTTP/2 connection breaks as a whole and not only this request; default false. */
  readonly wholeConnection?: boolean
}

/**
 * Gets, lists and watches see nothing that is later than a revision, until the rule is removed; watches then
 * catch up. Writes are not concerned: they meet what is really there.
 */
export interface StaleFault {
  readonly type: 'stale'
  /** The last resourceVersion that is seen; history must reach back to it. */
  readonly resourceVersion: string
}

/** Breaks a watch in the middle of a line. */
export interface ResetWatchFault {
  readonly type: 'resetWatch'
  /** Whole lines that come through before, bookmarks among them; default 0. */
  readonly afterEvents?: number
  /** As in {@link ResetFault}. */
  readonly wholeConnection?: boolean
}

/** Breaks a watch some time after it was opened, also while it has nothing to say. */
export interface CutWatchFault {
  readonly type: 'cutWatch'
  /** Milliseconds of the server's clock. */
  readonly afterMs: number
  /** As in {@link ResetFault}. */
  readonly wholeConnection?: boolean
}

/** A watch falls silent, bookmarks included, until the rule is removed; then it goes on. */
export interface StallWatchFault {
  readonly type: 'stallWatch'
  /** Whole lines that come through before, bookmarks among them; default 0. */
  readonly afterEvents?: number
}

/** Holds back what a watch has to say; what happens meanwhile comes with the next portion. */
export interface DelayEventsFault {
  readonly type: 'delayEvents'
  /** Milliseconds of the server's clock that each portion waits. */
  readonly delayMs: number
}

/** Every line of a watch comes twice. */
export interface DuplicateEventsFault {
  readonly type: 'duplicateEvents'
}

/** Of several events about one object in a window of time, a watch tells only what they came to. */
export interface CoalesceEventsFault {
  readonly type: 'coalesceEvents'
  /** Milliseconds of the server's clock from the first event of a window. */
  readonly windowMs: number
}
