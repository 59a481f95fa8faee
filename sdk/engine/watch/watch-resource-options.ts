import type { KubeObject } from '../kube/object.js'
import type { Logger } from '../observe/logger.js'
import type { MemoryGuard } from '../observe/memory-guard.js'
import type { Metrics } from '../observe/metrics.js'
import type { Clock } from '../time/clock.js'
import type { Transport } from '../transport/transport.js'
import type { AppliedFields } from './applied-fields.js'
import type { OutageLog } from './outage-log.js'
import type { OwnEvents } from './own-events.js'
import type { RestoreDetector } from './restore-detector.js'
import type { WatchScope } from './watch-scope.js'

/** Options of `watchResource`. */
export interface WatchResourceOptions<T extends KubeObject = KubeObject> extends WatchScope<T> {
  transport: Transport
  /** The label `cluster` of logs and metrics: `virtual` or `host`; default none. */
  cluster?: string
  /** Default silent. */
  logger?: Logger
  /** Default none. */
  metrics?: Metrics
  /** Default the machine's clock. */
  clock?: Clock
  /** Returns a number from 0 up to 1, to spread retries and the length of watches; default `Math.random`. */
  random?: () => number
  /** How many objects one page of a list holds; default 500. */
  pageSize?: number
  /**
   * Reads the first list as a stream of events (KEP-3157) instead of pages; default false. From a server that does not
   * support this, pages are requested.
   */
  streamList?: boolean
  /**
   * The time without an event or bookmark after which a watch is given up, in milliseconds; default 130,000, a little
   * more than two bookmark intervals.
   */
  silenceMs?: number
  /** The longest watch event that is accepted, in bytes; default 64 MiB. */
  maxLineBytes?: number
  /**
   * Checks memory: while it has no room, objects are left out, and listed when there is room again. By default every
   * object is taken.
   */
  memory?: MemoryGuard
  /** Is offered each event before delivery, if possible before the event is parsed; default none. */
  ownEvents?: OwnEvents
  /** Records who applied which fields of the objects of the first list; default none. */
  appliedFields?: AppliedFields
  /**
   * Called after each page of a list with the number of remaining objects, if the API server reports it; default none.
   */
  onPage?: (remaining: number | undefined) => void
  /**
   * Resolves when a kind that is not served may be served now, so that it is listed at once. Without this option it is
   * listed only after a pause, which grows with each failure.
   */
  whenServed?: (signal: AbortSignal) => Promise<void>
  /**
   * Detects that the cluster was restored from a backup, for all watches that share this detector. Without it only a
   * list or event older than an earlier one shows a restore, and a kube-apiserver sends a watch no such event.
   */
  restores?: RestoreDetector
  /**
   * Reports outages of the cluster once for all watches that share this log. Without it each watch reports its own end.
   */
  outages?: OutageLog
}
