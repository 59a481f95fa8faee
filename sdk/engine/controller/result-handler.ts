import { isConflict, PermanentError } from '../kube/error.js'
import { explainFrozen } from '../kube/frozen-error.js'
import { formatKey, type Key } from '../kube/key.js'
import { RetryLaterError } from '../kube/retry-later-error.js'
import type { EventRecorder } from '../observe/event-recorder.js'
import type { Logger } from '../observe/logger.js'
import type { Metrics } from '../observe/metrics.js'
import type { WorkQueue } from '../queue/work-queue.js'
import type { Clock } from '../time/clock.js'
import type { Controller } from './controller.js'
import { isObjectError } from './is-object-error.js'
import { RunTimeoutError } from './middleware/time-limit.js'
import { NameConflictError } from './name-conflict-error.js'
import type { NameConflicts } from './name-conflicts.js'
import { failuresBefore, type Quarantine, quarantineError, quarantineMs } from './quarantine.js'
import type { ReconcileResult } from './reconcile-result.js'
import type { RunEnd } from './run-end.js'
import { RunMetrics } from './run-metrics.js'
import type { SyncLag } from './sync-lag.js'
import { wakeDeleted } from './wake-deleted.js'

/**
 * How often a key with a name conflict runs without a change, in milliseconds. A change of the foreign object runs it
 * at once.
 */
const conflictRetryMs = 60_000

/**
 * The longest delay of a key whose failure is not an object error, in milliseconds: the key must run soon after an
 * outage.
 */
const outageRetryMs = 60_000

/** Options of {@link ResultHandler}. */
export interface ResultHandlerOptions {
  controller: Pick<Controller, 'name' | 'resource' | 'eventTarget'>
  queue: WorkQueue
  conflicts: NameConflicts
  quarantine: Quarantine
  lag: SyncLag
  events: EventRecorder
  logger: Logger
  metrics: Metrics
  clock: Clock
  /** Aborts when the runs under way must end: their results are dropped. */
  abort: AbortSignal
  /** Called after each run with its result. Must be quick, and must not throw. */
  onRunEnd?: (end: RunEnd) => void
}

/** The consequences of a run. */
type RunOutcome = Pick<RunEnd, 'result' | 'lagMs' | 'nextInMs' | 'error' | 'isSoon'>

/**
 * Decides what follows a run: wait for a change, run again at a requested time, retry with backoff, or wait for a
 * foreign object to leave. Writes metrics, log lines and Events about it.
 */
export class ResultHandler {
  readonly #options: ResultHandlerOptions
  readonly #metrics: RunMetrics

  constructor(options: ResultHandlerOptions) {
    this.#options = options
    this.#metrics = new RunMetrics({ name: options.controller.name, metrics: options.metrics })
  }

  /** Runs `run` for `key` and handles its result. Never rejects, and has no result of its own. */
  async record(key: Key, run: () => Promise<ReconcileResult | undefined>): Promise<undefined> {
    const { clock, lag, onRunEnd } = this.#options
    const startedMs = clock.now()
    lag.recordStart(key)
    const handled = await this.#runAndHandle(key, run)
    const durationMs = clock.now() - startedMs
    this.#metrics.recordDuration(durationMs)
    if (!handled) return
    this.#metrics.recordEnd(handled.result)
    onRunEnd?.({ key, durationMs, ...handled })
  }

  /** Handles the rejection of a promise that a run of `key` did not await: the next run repeats its work. */
  handleRejection(key: Key, reason: unknown): void {
    const { queue } = this.#options
    this.#metrics.recordRejection()
    this.#options.logger.error(
      { ...this.#logFields(key), retryInMs: quarantineMs, error: this.#explainError(reason) },
      'a promise that the reconciler did not wait for was rejected; await it, or handle its rejection',
    )
    queue.addAfter(key, quarantineMs)
  }

  /** Runs `run` and handles its result or error; undefined if the run was aborted. */
  async #runAndHandle(
    key: Key,
    run: () => Promise<ReconcileResult | undefined>,
  ): Promise<RunOutcome | undefined> {
    try {
      return this.#handleSuccess(key, await run())
    } catch (error) {
      return this.#handleFailure(key, this.#explainError(error))
    }
  }

  #explainError(error: unknown): unknown {
    return explainFrozen(error, `controller ${this.#options.controller.name}`)
  }

  #handleSuccess(key: Key, result: ReconcileResult | undefined): RunOutcome {
    const { conflicts, lag, queue } = this.#options
    const lagMs = lag.recordSuccess(key)
    const lagFields = lagMs === undefined ? {} : { lagMs }
    conflicts.clear(key)
    this.#leaveQuarantine(key)
    // "At once" follows the backoff of the key, or a run that always asks for it would occupy its worker forever.
    if (result?.requeueAfterMs === 0)
      return { result: 'requeue_after', nextInMs: queue.retry(key), isSoon: true, ...lagFields }
    queue.forget(key)
    if (result?.requeueAfterMs === undefined) return { result: 'success', ...lagFields }
    return { ...this.#requeue(key, result.requeueAfterMs), ...lagFields }
  }

  /** Handles the error of a run: conflicts, quarantine and lag. Undefined if the program ends. */
  #handleFailure(key: Key, error: unknown): RunOutcome | undefined {
    const { abort, conflicts, lag, quarantine } = this.#options
    if (abort.aborted) return undefined
    if (!(error instanceof NameConflictError)) conflicts.clear(key)
    if (error instanceof PermanentError) {
      quarantine.release(key)
      lag.recordDrop(key)
    } else lag.recordFailure(key)
    return { ...this.#handleError(key, error), error }
  }

  /** Decides by the class of an error when the key runs again. */
  #handleError(key: Key, error: unknown): RunOutcome {
    if (error instanceof NameConflictError) return this.#waitForName(key, error)
    if (error instanceof PermanentError) return this.#giveUp(key, error)
    if (error instanceof RetryLaterError) return this.#requeue(key, error.retryInMs)
    return this.#retry(key, error)
  }

  /** Makes a key wait for a foreign object. Reports the conflict once. */
  #waitForName(key: Key, error: NameConflictError): RunOutcome {
    const { conflicts, queue } = this.#options
    queue.forget(key)
    queue.addAfter(key, conflictRetryMs)
    if (conflicts.add(error.foreignKey, key)) {
      this.#metrics.recordNameConflict()
      this.#report(key, 'NameConflict', error)
    }
    return { result: 'name_conflict', nextInMs: conflictRetryMs }
  }

  /** Handles an error for which a retry is useless: the key runs again only after a change or the error's own delay. */
  #giveUp(key: Key, error: PermanentError): RunOutcome {
    const { eventReason, retryInMs } = error
    this.#options.queue.forget(key)
    this.#report(key, eventReason, error)
    if (retryInMs === undefined) return { result: 'terminal_error' }
    this.#options.queue.addAfter(key, retryInMs)
    return { result: 'terminal_error', nextInMs: retryInMs }
  }

  #requeue(key: Key, nextInMs: number): RunOutcome {
    this.#options.queue.addAfter(key, nextInMs)
    return { result: 'requeue_after', nextInMs }
  }

  /** Retries a key with backoff, or puts it into quarantine. */
  #retry(key: Key, error: unknown): RunOutcome {
    const { logger, queue, quarantine } = this.#options
    if (error instanceof RunTimeoutError) this.#metrics.recordTimeout()
    const isObjects = isObjectError(error)
    const { isHeld, isNews } = isObjects ? quarantine.recordFailure(key) : { isHeld: false, isNews: false }
    const delayMs = isObjects ? queue.retry(key) : queue.retry(key, outageRetryMs)
    const retryInMs = isHeld ? this.#rest(key, delayMs) : Math.round(delayMs)
    const fields = { ...this.#logFields(key), retryInMs, error }
    // A conflict only means that the cache was a moment old; the next run reads the newer state.
    if (isConflict(error)) logger.debug(fields, 'the object changed meanwhile, trying again')
    else logger.error(fields, 'reconciling failed, trying again')
    if (isNews) this.#reportQuarantined(key, error, fields)
    return { result: 'error', nextInMs: retryInMs }
  }

  /** Keeps a key in quarantine from running. Returns the time until the next run, in milliseconds. */
  #rest(key: Key, delayMs: number): number {
    const retryInMs = Math.round(delayMs + quarantineMs)
    this.#options.queue.rest(key, { minMs: quarantineMs, maxMs: retryInMs })
    return wakeDeleted(key, this.#options) ? 0 : retryInMs
  }

  #reportQuarantined(key: Key, error: unknown, fields: object): void {
    const { controller, logger } = this.#options
    logger.warn(
      { ...fields },
      `reconciling failed ${failuresBefore} times in a row; now tried at most once a minute`,
    )
    this.#writeEvent(key, 'Quarantined', quarantineError(controller.resource, error))
  }

  #leaveQuarantine(key: Key): void {
    const { logger, quarantine } = this.#options
    if (quarantine.release(key)) logger.info(this.#logFields(key), 'reconciling succeeded again')
  }

  /** Logs an error, and writes an Event about it. */
  #report(key: Key, reason: string, error: Error): void {
    this.#options.logger.warn(this.#logFields(key), error.message)
    this.#writeEvent(key, reason, error)
  }

  #logFields(key: Key): { controller: string; key: string } {
    return { controller: this.#options.controller.name, key: formatKey(key) }
  }

  /** Writes an Event about the object of the key, if it exists. */
  #writeEvent(key: Key, reason: string, error: Error): void {
    const { controller, events } = this.#options
    const object = controller.eventTarget(key)
    if (object) events.warning(object, reason, error.message)
  }
}
