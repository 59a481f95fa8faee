/**
 * Lists, watches and recovers: the state of one kind in one cluster as an endless Observable.
 *
 * It promises that a broken, refused or silent watch resumes after the last event it delivered, that an expired watch
 * starts over with a list (so that `store/` finds objects that were deleted in the meantime), and that the server
 * cannot end the Observable: it has no error and no completion, only unsubscribing stops it. Connections, credentials
 * and dead sockets are the transport's task, and the meaning of events is the store's.
 *
 * An event passes, in this order: `watch-stream.ts` (chunks to lines), `list-and-watch.ts` (one list and one watch),
 * `watch-events.ts` (lines to events), and then `store/into-store.ts`.
 *
 * See https://kubernetes.io/docs/reference/using-api/api-concepts/#efficient-detection-of-changes
 */
import { Observable } from 'rxjs'
import { isForbidden } from '../kube/error.js'
import { asNetworkError, NetworkError } from '../kube/network-error.js'
import type { KubeObject } from '../kube/object.js'
import { formatResource } from '../kube/resource.js'
import { type Logger, silentLogger } from '../observe/logger.js'
import { noMetrics } from '../observe/metrics.js'
import { type Clock, sleep, systemClock } from '../time/clock.js'
import { withOwnSignal } from '../time/own-signal.js'
import { retryAfterMs } from '../transport/refusal.js'
import type { WatchEvent } from './event.js'
import { ListAndWatch } from './list-and-watch.js'
import { ObjectIntake } from './object-intake.js'
import type { LoggedWatch } from './outage-log.js'
import { goodLifeMs, RestartPace } from './restart-pace.js'
import { isDoubtful, RestoredClusterError, restartReason } from './restart-reason.js'
import { WatchEvents } from './watch-events.js'
import { WatchMetrics } from './watch-metrics.js'
import { WatchPosition } from './watch-position.js'
import type { WatchResourceOptions } from './watch-resource-options.js'
import type { WatchedHistory } from './watched-history.js'

const forbiddenMessage =
  'the kind may not be listed; its controllers wait: grant list and watch on it, as vcluster-plugin rbac prints'

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

/** A watch that recovers: it decides after each end when to begin again, and whether with a list. */
class ResourceWatch<T extends KubeObject> implements LoggedWatch {
  /** The resource in words, for logs. */
  readonly resource: string
  readonly #options: WatchResourceOptions<T>
  readonly #clock: Clock
  readonly #logger: Logger
  readonly #metrics: WatchMetrics
  readonly #pace: RestartPace
  readonly #position = new WatchPosition()
  readonly #history: WatchedHistory | undefined
  readonly #events: WatchEvents<T>
  readonly #listAndWatch: ListAndWatch<T>
  /** Ends the list, watch or pause under way, to begin with a list. */
  #restart = () => {}
  /** When the API server accepted the watch under way, in milliseconds. */
  #openedMs: number | undefined
  /** The requested length of the watch under way, in milliseconds. */
  #timeoutMs = 0

  constructor(options: WatchResourceOptions<T>, emit: (event: WatchEvent<T>) => void) {
    const { resource, cluster = '', clock = systemClock, random = Math.random } = options
    const labels = { cluster, resource: formatResource(resource) }
    const logger = (options.logger ?? silentLogger).child(labels)
    const metrics = new WatchMetrics(labels, options.metrics ?? noMetrics, clock)
    const intake = new ObjectIntake({
      resource: labels.resource,
      guard: options.memory,
      clock,
      logger,
      metrics,
    })
    const history = options.restores?.join(options, () => this.#restart())
    const parts = { position: this.#position, intake, clock, logger, metrics }
    const { ownEvents, appliedFields } = options
    const events = new WatchEvents({ ...parts, scope: options, emit, history, ownEvents, appliedFields })
    const onOpen = (timeoutMs: number) => this.#recordOpened(timeoutMs)
    this.resource = labels.resource
    options.outages?.join(this)
    this.#options = options
    this.#clock = clock
    this.#logger = logger
    this.#metrics = metrics
    this.#pace = new RestartPace(random)
    this.#history = history
    this.#events = events
    this.#listAndWatch = new ListAndWatch({ ...parts, options, events, random, onOpen })
  }

  /** Lists and watches again and again until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    signal.addEventListener('abort', () => this.#leave(), { once: true })
    while (!signal.aborted)
      await withOwnSignal(signal, (abortController) => this.#runOnce(signal, abortController))
  }

  #leave(): void {
    this.#history?.leave()
    this.#options.outages?.leave(this)
  }

  /** Lists and watches once, and pauses after the end. */
  async #runOnce(signal: AbortSignal, abortController: AbortController): Promise<void> {
    this.#openedMs = undefined
    this.#restart = () => abortController.abort(new RestoredClusterError())
    const error = await this.#attempt(abortController.signal).catch(
      (reason: unknown) => reason ?? new Error('unknown'),
    )
    if (signal.aborted || abortController.signal.aborted) return
    await this.#pause(this.#afterEnd(error), abortController.signal)
  }

  /** Resolves or rejects when the list or the watch ends. */
  async #attempt(signal: AbortSignal): Promise<undefined> {
    if (this.#history) await this.#preparePosition(this.#history, signal)
    return this.#listAndWatch.run(signal)
  }

  #recordOpened(timeoutMs: number): void {
    this.#openedMs = this.#clock.now()
    this.#timeoutMs = timeoutMs
    this.#metrics.recordOpen()
    const isReported = this.#options.outages?.recordAnswer(this)
    if (this.#pace.hasFailed && !isReported)
      this.#logger.info({ resourceVersion: this.#position.resumeFrom }, 'watching again')
  }

  /** Resumes the watch if the cluster is still the same; else prepares a list. */
  async #preparePosition(history: WatchedHistory, signal: AbortSignal): Promise<void> {
    const continuation = await history.continuation(this.#position.resumeFrom, signal)
    if ('from' in continuation) this.#position.resumeAt(continuation.from)
    else this.#prepareList(continuation.list)
  }

  /** Makes the next attempt begin with a list. */
  #prepareList(reason: 'restored' | 'expired'): void {
    this.#position.resumeAt(undefined)
    this.#metrics.recordRestart(reason)
    if (reason === 'restored') this.#handleRestore()
    else this.#logger.info({}, 'the API server has forgotten the last change that was seen; listing again')
  }

  #handleRestore(): void {
    this.#events.recordRestore()
    this.#position.reset()
    // The API server has just answered: the outage is over.
    this.#pace.forgive()
  }

  /** Decides how to continue after the end of a watch. Returns the pause in milliseconds. */
  #afterEnd(error: unknown): number {
    const reason = restartReason(error)
    // A server that has lost its history can answer a list at once, even after a short watch.
    const acceptedMs = reason === 'expired' ? this.#events.listedMs : this.#openedMs
    const livedMs = acceptedMs === undefined ? 0 : this.#clock.now() - acceptedMs
    const isOutage = this.#reportOutage(error)
    this.#metrics.recordRestart(reason)
    if (reason === 'closed' && livedMs < goodLifeMs) this.#metrics.recordShort()
    if (reason === 'expired' || reason === 'full') this.#position.resumeAt(undefined)
    if (isDoubtful(reason, this.#timeoutMs - livedMs)) this.#history?.recordEnd(reason === 'closed')
    if (reason === 'unserved') return this.#handleUnserved(error)
    const isListForbidden = isForbidden(error) && this.#events.listedMs === undefined
    if (isListForbidden) this.#events.reportForbidden()
    const { delayMs, isRoutine } = this.#pace.after({ reason, livedMs, nowMs: this.#clock.now() })
    if (delayMs === 0) return 0
    const retryInMs = Math.round(Math.max(delayMs, retryAfterMs(error)))
    const fields = {
      reason,
      error: asNetworkError(error),
      retryInMs,
      resourceVersion: this.#position.resumeFrom,
    }
    const message = isListForbidden ? forbiddenMessage : 'the watch ended; trying again'
    this.#logger[isRoutine || isOutage ? 'debug' : 'warn'](fields, message)
    return retryInMs
  }

  /** Reports a failure of the network to the log of outages, if there is one; returns whether that was done. */
  #reportOutage(error: unknown): boolean {
    const { outages } = this.#options
    const isOutage = error instanceof NetworkError
    if (isOutage) outages?.recordFailure(this, error)
    else outages?.recordAnswer(this)
    return isOutage && outages !== undefined
  }

  /** Handles the end of a watch whose kind is not served. Returns the pause in milliseconds. */
  #handleUnserved(error: unknown): number {
    this.#position.resumeAt(undefined)
    this.#events.reportUnserved(error)
    return Math.round(this.#pace.after({ reason: 'unserved', livedMs: 0, nowMs: this.#clock.now() }).delayMs)
  }

  /** Pauses; for a kind that is not served, at most until it may be served. */
  async #pause(delayMs: number, signal: AbortSignal): Promise<void> {
    if (delayMs === 0) return
    await withOwnSignal(signal, async (pauseEnd) => {
      const waits = [sleep(this.#clock, delayMs, pauseEnd.signal)]
      const { whenServed } = this.#options
      if (!this.#events.isServed && whenServed) waits.push(this.#waitUntilServed(whenServed, pauseEnd.signal))
      try {
        await Promise.race(waits)
      } catch (error) {
        if (!signal.aborted) throw error
      } finally {
        pauseEnd.abort()
      }
    })
  }

  /** Waits until the kind may be served. The API server may need another moment, so retries are frequent again. */
  async #waitUntilServed(
    whenServed: (signal: AbortSignal) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    await whenServed(signal)
    if (!signal.aborted) this.#pace.forgive()
  }
}
