/**
 * List, then watch, then heal: one kind of object in one cluster as an endless Observable of what is true.
 *
 * It promises that a broken, refused or silent watch resumes after the last event it delivered, that an
 * expired one starts over with a list (so that `store/` can tell what went in the meantime), and that neither
 * the server nor a subscriber can end it: it has no error and no completion, only unsubscribing stops it. It
 * leaves connections, credentials and dead sockets to the transport, and the meaning of events to the store.
 *
 * See https://kubernetes.io/docs/reference/using-api/api-concepts/#efficient-detection-of-changes
 */
import sumBy from 'lodash/sumBy.js'
import { Observable } from 'rxjs'
import { ApiError, isGone, isInvalid, isNotFound, type Status } from '../kube/error.js'
import { keyOf } from '../kube/key.js'
import type { KubeObject } from '../kube/object.js'
import { formatResource } from '../kube/resource.js'
import { isEarlier, isLater } from '../kube/resource-version.js'
import { type Logger, silentLogger } from '../observe/logger.js'
import type { MemoryGuard } from '../observe/memory-guard.js'
import { type Metrics, noMetrics } from '../observe/metrics.js'
import { type Clock, sleep, systemClock } from '../time/clock.js'
import { withOwnSignal } from '../time/own-signal.js'
import { TimeSlice } from '../time/time-slice.js'
import { asNetworkError } from '../transport/network-error.js'
import { retryAfterMs } from '../transport/refusal.js'
import type { Transport } from '../transport/transport.js'
import type { WatchEvent } from './event.js'
import { listPages } from './list-pages.js'
import { dropManagedFields } from './managed-fields.js'
import { ObjectIntake } from './object-intake.js'
import { GOOD_LIFE_MS, RestartPace } from './restart-pace.js'
import type { RestoreDetector } from './restore-detector.js'
import { SilentWatchError } from './silence-timer.js'
import { type RestartReason, WatchMetrics } from './watch-metrics.js'
import { isInScope, scopePath, type WatchScope } from './watch-scope.js'
import { type WatchLine, watchStream } from './watch-stream.js'
import type { WatchedHistory } from './watched-history.js'

/** Options of {@link watchResource}. */
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
  /** Called after each page of a list with the number of remaining objects, if the API server reports it; default none. */
  onPage?: (remaining: number | undefined) => void
  /**
   * Resolves when a kind that is not served may be served now: it is listed at once then, and not only after the time that
   * grows with each failure. Default that time alone.
   */
  whenServed?: (signal: AbortSignal) => Promise<void>
  /**
   * Notices that the cluster was restored from a backup, for all watches of the cluster that share it. Default none: only a
   * list or event that is older than what was seen before is noticed, and a kube-apiserver sends a watch no such event.
   */
  restores?: RestoreDetector
}

/** Lists and watches one kind of object for as long as someone is subscribed. */
export function watchResource<T extends KubeObject>(
  options: WatchResourceOptions<T>,
): Observable<WatchEvent<T>> {
  return new Observable((subscriber) => {
    const stop = new AbortController()
    const watch = new ResourceWatch(options, (event) => subscriber.next(event))
    watch.run(stop.signal).catch((error) => subscriber.error(error))
    return () => stop.abort()
  })
}

/** A server may end a watch so much earlier than it was asked to, in milliseconds, and be the same as before. */
const EARLY_END_MS = 5000

class ResourceWatch<T extends KubeObject> {
  readonly #options: WatchResourceOptions<T>
  readonly #emit: (event: WatchEvent<T>) => void
  readonly #clock: Clock
  readonly #random: () => number
  readonly #logger: Logger
  readonly #metrics: WatchMetrics
  readonly #slice: TimeSlice
  readonly #pace: RestartPace
  readonly #intake: ObjectIntake
  readonly #history: WatchedHistory | undefined
  /** Ends the list, watch or pause under way, to begin with a list. */
  #restart = () => {}
  /** Where a watch can resume; `undefined` when only a list will do. */
  #resumeFrom: string | undefined
  /** The latest moment that was heard of. */
  #latest: string | undefined
  /** When the API server accepted the watch under way. */
  #openedMs: number | undefined
  /** How long it was asked to last. */
  #timeoutMs = 0
  /** When the last list was done; `undefined` while one is under way. */
  #listedMs: number | undefined
  /** How many objects the list under way has named. */
  #listedObjects = 0
  #streamsList: boolean
  #isServed = true
  /** Whether the next list is the first one of a restored cluster. */
  #isRestored = false

  constructor(options: WatchResourceOptions<T>, emit: (event: WatchEvent<T>) => void) {
    const {
      resource,
      cluster = '',
      logger = silentLogger,
      metrics = noMetrics,
      clock = systemClock,
    } = options
    const labels = { cluster, resource: formatResource(resource) }
    this.#options = options
    this.#emit = emit
    this.#clock = clock
    this.#random = options.random ?? Math.random
    this.#logger = logger.child(labels)
    this.#metrics = new WatchMetrics(labels, metrics, clock)
    this.#slice = new TimeSlice(clock)
    this.#pace = new RestartPace(this.#random)
    this.#intake = new ObjectIntake({
      resource: labels.resource,
      guard: options.memory,
      clock,
      logger: this.#logger,
      metrics: this.#metrics,
    })
    this.#streamsList = options.streamList ?? false
    this.#history = options.restores?.join(options, () => this.#restart())
  }

  async run(signal: AbortSignal): Promise<void> {
    signal.addEventListener('abort', () => this.#history?.leave(), { once: true })
    while (!signal.aborted) await withOwnSignal(signal, (own) => this.#once(signal, own))
  }

  async #once(signal: AbortSignal, own: AbortController): Promise<void> {
    this.#openedMs = undefined
    this.#restart = () => own.abort(new RestoredClusterError())
    const error = await this.#listAndWatch(own.signal).catch(
      (reason: unknown) => reason ?? new Error('unknown'),
    )
    if (signal.aborted || own.signal.aborted) return
    await this.#pause(this.#afterEnd(error), own.signal)
  }

  async #listAndWatch(signal: AbortSignal): Promise<undefined> {
    if (this.#history) await this.#continue(this.#history, signal)
    if (this.#resumeFrom === undefined && this.#streamsList) return this.#streamList(signal)
    if (this.#resumeFrom === undefined) await this.#list(signal)
    return this.#watchUntilRoom(signal, { resourceVersion: this.#resumeFrom ?? '' })
  }

  /** What was seen before counts only as far as the cluster is still the same. */
  async #continue(history: WatchedHistory, signal: AbortSignal): Promise<void> {
    const next = await history.continuation(this.#resumeFrom, signal)
    if ('from' in next) this.#resumeFrom = next.from
    else this.#forget(next.list)
  }

  #forget(reason: 'restored' | 'expired'): void {
    this.#resumeFrom = undefined
    this.#metrics.restarted(reason)
    if (reason === 'restored') this.#restored()
    else this.#logger.info({}, 'the API server has forgotten the last change that was seen; listing again')
  }

  #restored(): void {
    this.#isRestored = true
    this.#latest = undefined
    // The API server has just answered: the outage is over.
    this.#pace.forgive()
  }

  async #list(signal: AbortSignal): Promise<void> {
    const startedMs = this.#clock.now()
    let resourceVersion = ''
    this.#listStarted()
    const { transport, pageSize = 500, ...scope } = this.#options
    for await (const page of listPages({ ...scope, transport, pageSize, signal, clock: this.#clock })) {
      this.#intake.read(page.bytes)
      for (const object of page.items) {
        this.#deliver('listed', object)
        if (this.#slice.isOver) await this.#slice.pause()
      }
      resourceVersion = page.resourceVersion
      this.#options.onPage?.(page.remaining)
    }
    this.#listDone(resourceVersion, startedMs)
  }

  #listStarted(): void {
    this.#listedMs = undefined
    this.#listedObjects = 0
    this.#history?.listing()
    this.#intake.listStarted()
    this.#emit({ type: 'listStarted' })
  }

  #listDone(resourceVersion: string, startedMs: number): void {
    if (isEarlier(resourceVersion, this.#latest)) this.#setBack(resourceVersion)
    this.#history?.reached(resourceVersion)
    this.#latest = resourceVersion
    this.#resumeFrom = resourceVersion
    this.#listedMs = this.#clock.now()
    this.#metrics.listed(startedMs, this.#listedObjects)
    this.#intake.listDone()
    this.#metrics.waiting(false)
    if (!this.#isServed) this.#logger.info({}, 'the kind is served now')
    this.#isServed = true
    this.#emit({ type: 'listDone', resourceVersion, ...(this.#isRestored && { restored: true }) })
    this.#isRestored = false
  }

  #setBack(resourceVersion: string): void {
    // It tells every watch of the cluster, this one too.
    this.#history?.setBack(resourceVersion)
    if (this.#history) return
    this.#metrics.restarted('restored')
    this.#logger.warn(
      { resourceVersion, latest: this.#latest },
      'the list is older than what was seen before: the cluster was restored from a backup',
    )
  }

  async #streamList(signal: AbortSignal): Promise<undefined> {
    this.#listStarted()
    try {
      return await this.#watchUntilRoom(signal, {
        sendInitialEvents: true,
        resourceVersionMatch: 'NotOlderThan',
      })
    } catch (error) {
      const isUnknownToServer = isInvalid(error) || (error instanceof ApiError && error.code === 400)
      if (!isUnknownToServer || this.#openedMs !== undefined) throw error
      this.#logger.debug({ error }, 'the API server does not stream lists; asking for pages')
      this.#streamsList = false
      return this.#listAndWatch(signal)
    }
  }

  /** Watches until the watch ends, or there is room for objects that were left out. */
  #watchUntilRoom(signal: AbortSignal, parameters: Record<string, string | boolean>): Promise<undefined> {
    return withOwnSignal(signal, async (own) => {
      const forget = this.#intake.whenListDue(() => own.abort(new RoomAgainError()))
      try {
        return await this.#watch(own.signal, parameters)
      } finally {
        forget()
      }
    })
  }

  async #watch(signal: AbortSignal, parameters: Record<string, string | boolean>): Promise<undefined> {
    const { transport, silenceMs = 130_000, maxLineBytes = 64 * 1024 * 1024 } = this.#options
    const timeoutSeconds = Math.floor(300 + 300 * this.#random())
    this.#timeoutMs = timeoutSeconds * 1000
    const path = scopePath(this.#options, {
      watch: true,
      allowWatchBookmarks: true,
      timeoutSeconds,
      ...parameters,
    })
    const startedMs = this.#clock.now()
    const onOpen = () => this.#opened()
    for await (const lines of watchStream({
      transport,
      path,
      clock: this.#clock,
      silenceMs,
      maxLineBytes,
      signal,
      onOpen,
    })) {
      this.#intake.read(sumBy(lines, 'bytes'))
      for (const line of lines) {
        this.#hear(line, startedMs)
        if (this.#slice.isOver) await this.#slice.pause()
      }
      if (lines.length > 0) this.#metrics.heard()
    }
  }

  #opened(): void {
    this.#openedMs = this.#clock.now()
    this.#metrics.opened()
    if (this.#pace.hasFailed) this.#logger.info({ resourceVersion: this.#resumeFrom }, 'watching again')
  }

  #hear({ type, object }: WatchLine, startedMs: number): void {
    switch (type) {
      case 'ADDED':
      case 'MODIFIED':
        this.#deliver(this.#resumeFrom === undefined ? 'listed' : 'applied', object)
        break
      case 'DELETED':
        this.#deliver('deleted', object)
        break
      case 'BOOKMARK':
        this.#bookmark(object as KubeObject, startedMs)
        break
      case 'ERROR':
        throw new ApiError(object as Status)
      default:
        this.#logger.debug({ type }, 'leaving out a watch event of an unknown type')
    }
  }

  #bookmark({ metadata }: KubeObject, startedMs: number): void {
    const { resourceVersion = '', annotations } = metadata
    if (this.#resumeFrom !== undefined) {
      this.#advance(resourceVersion)
      this.#history?.reached(resourceVersion)
      this.#emit({ type: 'bookmark', resourceVersion })
    } else if (annotations?.['k8s.io/initial-events-end'] === 'true')
      this.#listDone(resourceVersion, startedMs)
  }

  #deliver(type: 'listed' | 'applied' | 'deleted', object: unknown): void {
    if (!isInScope(this.#options, object)) {
      this.#metrics.unexpected()
      this.#logger.warn({ type }, 'leaving out an object of another kind or namespace than was asked for')
      return
    }
    this.#refusePast(object.metadata.resourceVersion)
    if (this.#resumeFrom !== undefined) this.#advance(object.metadata.resourceVersion)
    this.#history?.saw(object.metadata, type === 'deleted')
    if (type === 'listed') this.#listedObjects++
    if (type !== 'deleted' && !this.#intake.isOpen) {
      this.#leaveOut(object as T)
      return
    }
    this.#intake.took()
    dropManagedFields(object)
    this.#emit({ type, object: object as T })
  }

  #leaveOut(object: T): void {
    this.#intake.leave()
    this.#emit({ type: 'leftOut', key: keyOf(object) })
  }

  /** A watch tells what happens in order, so news from an earlier moment come from a server that was set back. */
  #advance(resourceVersion: string | undefined): void {
    if (isEarlier(resourceVersion, this.#resumeFrom)) throw setBack(resourceVersion, this.#resumeFrom)
    if (resourceVersion === undefined) return
    this.#resumeFrom = resourceVersion
    if (!isEarlier(resourceVersion, this.#latest)) this.#latest = resourceVersion
  }

  /**
   * Throws 410 for an event that is older than the latest revision seen. A watch may resume before that revision, see
   * `RestoreDetector`. Such an event is about an object that was deleted before the list, and would bring it back; or a
   * restored cluster wrote it, and a list is needed anyway.
   */
  #refusePast(resourceVersion: string | undefined): void {
    const isBehind = isEarlier(this.#resumeFrom, this.#latest)
    if (!isBehind || isLater(resourceVersion, this.#latest)) return
    const message = `the watch resumed before resourceVersion ${this.#latest}, and something happened in between; listing again`
    throw new ApiError({ code: 410, reason: 'Expired', message })
  }

  /** Decides how to go on after the end of a watch, and returns after how many milliseconds. */
  #afterEnd(error: unknown): number {
    const reason = restartReason(error)
    // A server that forgot is there to be asked for a list, however short the watch was.
    const begunMs = reason === 'expired' ? this.#listedMs : this.#openedMs
    const livedMs = begunMs === undefined ? 0 : this.#clock.now() - begunMs
    this.#metrics.restarted(reason)
    if (reason === 'closed' && livedMs < GOOD_LIFE_MS) this.#metrics.short()
    if (reason === 'expired' || reason === 'full') this.#resumeFrom = undefined
    if (isDoubtful(reason, this.#timeoutMs - livedMs)) this.#history?.ended(reason === 'closed')
    if (reason === 'unserved') return this.#unserved(error)
    const { delayMs, isRoutine } = this.#pace.after({ reason, livedMs, nowMs: this.#clock.now() })
    if (delayMs === 0) return 0
    const retryInMs = Math.round(Math.max(delayMs, retryAfterMs(error)))
    const fields = { reason, error: asNetworkError(error), retryInMs, resourceVersion: this.#resumeFrom }
    this.#logger[isRoutine ? 'debug' : 'warn'](fields, 'the watch ended; trying again')
    return retryInMs
  }

  /** The kind is none (yet, or any more): whatever was known of its objects is as true as before. */
  #unserved(error: unknown): number {
    this.#resumeFrom = undefined
    this.#metrics.waiting(true)
    if (this.#isServed)
      this.#logger.warn({ error: asNetworkError(error) }, 'the kind is not served; waiting until it is')
    this.#isServed = false
    this.#emit({ type: 'unserved' })
    return Math.round(this.#pace.after({ reason: 'unserved', livedMs: 0, nowMs: this.#clock.now() }).delayMs)
  }

  async #pause(delayMs: number, signal: AbortSignal): Promise<void> {
    if (delayMs === 0) return
    await withOwnSignal(signal, async (over) => {
      const waits = [sleep(this.#clock, delayMs, over.signal)]
      const { whenServed } = this.#options
      if (!this.#isServed && whenServed) waits.push(this.#wokenBy(whenServed, over.signal))
      try {
        await Promise.race(waits)
      } catch (error) {
        if (!signal.aborted) throw error
      } finally {
        over.abort()
      }
    })
  }

  /** The API server may need another moment; it is asked often again. */
  async #wokenBy(whenServed: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
    await whenServed(signal)
    if (!signal.aborted) this.#pace.forgive()
  }
}

/** The cluster was restored: what was seen before does not count any more. */
class RestoredClusterError extends Error {
  override readonly name = 'RestoredClusterError'
}

/** Ends a watch that left objects out, so that they are listed. */
class RoomAgainError extends Error {
  override readonly name = 'RoomAgainError'

  constructor() {
    super('there is memory again for the objects that were left out; listing them')
  }
}

/** What the API server itself would answer to a resourceVersion it cannot watch from. */
function setBack(resourceVersion: string | undefined, latest: string | undefined): ApiError {
  const message = `the watch went back from resourceVersion ${latest} to ${resourceVersion}; listing again`
  return new ApiError({ code: 410, reason: 'Expired', message })
}

/** Whether the cluster may be another one after such an end, so long before its time: the API server may have been away. */
function isDoubtful(reason: RestartReason, earlyMs: number): boolean {
  return reason === 'closed'
    ? earlyMs > EARLY_END_MS
    : reason === 'broken' || reason === 'silent' || reason === 'refused'
}

function restartReason(error: unknown): RestartReason {
  if (error === undefined) return 'closed'
  if (isGone(error)) return 'expired'
  if (isNotFound(error)) return 'unserved'
  if (error instanceof RoomAgainError) return 'full'
  if (error instanceof ApiError) return 'refused'
  return error instanceof SilentWatchError ? 'silent' : 'broken'
}
