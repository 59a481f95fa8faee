import type { KubeObject } from '../kube/object.js'
import type { Logger } from '../observe/logger.js'
import type { MemoryGuard } from '../observe/memory-guard.js'
import type { Metrics } from '../observe/metrics.js'
import type { Clock } from '../time/clock.js'
import type { Transport } from '../transport/transport.js'
import type { AppliedFields } from './applied-fields.js'
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
  /** Spreads retries and the length of watches, a number from 0 up to 1; default `Math.random`. */
  random?: () => number
  /** How many objects one page of a list holds; default 500. */
  pageSize?: number
  /**
   * Reads the first list as a stream of events (KEP-3157) instead of pages; default false. A server that
   * cannot do it is asked for pages.
   */
  streamList?: boolean
  /** Gives a watch up after so long without an event or bookmark; default 130,000 ms, two bookmarks and a bit. */
  silenceMs?: number
  /** The longest watch event that is accepted; default 64 MiB. */
  maxLineBytes?: number
  /** While it has no room objects are left out, and listed when there is room again; default every object is taken. */
  memory?: MemoryGuard
  /** Is asked before an event is delivered, if possible before it is parsed; default none. */
  ownEvents?: OwnEvents
  /** Notes who applied which fields of the objects of the first list; default nothing is noted. */
  appliedFields?: AppliedFields
  /**
   * Called after each page of a list with the number of remaining objects, if the API server reports it; default none.
   */
  onPage?: (remaining: number | undefined) => void
  /**
   * Resolves when a kind that is not served may be served now: it is listed at once then, and not only after the time
   * that grows with each failure. Default that time alone.
   */
  whenServed?: (signal: AbortSignal) => Promise<void>
  /**
   * Notices that the cluster was restored from a backup, for all watches of the cluster that share it. Default none:
   * only a list or event that is older than what was seen before is noticed, and a kube-apiserver sends a watch no such
   * event.
   */
  restores?: RestoreDetector
}
