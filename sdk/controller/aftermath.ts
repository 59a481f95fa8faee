import { CircuitOpenError } from '../client/circuit-breaker.js'
import type { RegisterContext } from '../context/register-context.js'
import { isConflict, PermanentError } from '../kube/error.js'
import { explainFrozen } from '../kube/frozen-error.js'
import { formatKey, type Key } from '../kube/key.js'
import type { EventRecorder } from '../observe/event-recorder.js'
import { OwnerGoneError } from '../ownership/owner-gone-error.js'
import { StrangerError } from '../ownership/stranger-error.js'
import type { WorkQueue } from '../queue/work-queue.js'
import type { Outcome } from '../syncer/outcome.js'
import type { Refusals } from '../syncer/reconcile/refusals.js'
import type { Reconciler } from '../syncer/reconciler.js'
import { isObjectsFault } from './blame.js'
import { failuresBefore, type Quarantine, quarantined, quarantineMs } from './quarantine.js'
import type { RunEnd } from './run-end.js'
import { RunTimeoutError } from './run-limit.js'
import { RunMetrics } from './run-metrics.js'
import type { SyncLag } from './sync-lag.js'

/** How often a refused key looks again by itself, in milliseconds. Its stranger's leaving wakes it at once. */
const strangerRetryMs = 60_000

/** How long a key waits at most that failed by its cluster's fault, in milliseconds: soon after that it has its turn. */
const outageRetryMs = 60_000

/** What {@link Aftermath} works on. */
export interface AftermathOptions {
  syncer: Reconciler
  ctx: RegisterContext
  events: EventRecorder
  queue: WorkQueue
  refusals: Refusals
  quarantine: Quarantine
  lag: SyncLag
  abort: AbortSignal
  /** Told how each run went, right after it; default nobody. Must be quick, and must not throw. */
  onRunEnd?: (end: RunEnd) => void
}

/** What follows from a run. */
type Sequel = Pick<RunEnd, 'result' | 'lagMs' | 'nextInMs' | 'error'>

/**
 * What follows a run: rest, come back at a time asked for, retry with backoff, or wait for a change. Nothing
 * thrown by a run goes further than this.
 */
export class Aftermath {
  readonly #options: AftermathOptions
  readonly #metrics: RunMetrics

  constructor(options: AftermathOptions) {
    this.#options = options
    this.#metrics = new RunMetrics({ name: options.syncer.name, metrics: options.ctx.metrics })
  }

  /** Runs `run` for `key` and sees to what follows. Never rejects. */
  async of(key: Key, run: () => Promise<Outcome | undefined>): Promise<void> {
    const { ctx, onRunEnd } = this.#options
    const startedMs = ctx.clock.now()
    this.#options.lag.began(key)
    const sequel = await this.#sequelOf(key, run)
    const durationMs = ctx.clock.now() - startedMs
    this.#metrics.took(durationMs)
    if (!sequel) return
    this.#metrics.ended(sequel.result)
    onRunEnd?.({ key, durationMs, ...sequel })
  }

  /** None where the run was aborted. */
  async #sequelOf(key: Key, run: () => Promise<Outcome | undefined>): Promise<Sequel | undefined> {
    try {
      return this.#succeeded(key, await run())
    } catch (error) {
      return this.#failed(key, this.#explained(error))
    }
  }

  #explained(error: unknown): unknown {
    return explainFrozen(error, `syncer ${this.#options.syncer.name}`)
  }

  /** A promise that a run of `key` did not wait for was rejected; what it was to do is tried again with the next run. */
  strayed(key: Key, reason: unknown): void {
    const { ctx, queue, syncer } = this.#options
    const error = this.#explained(reason)
    this.#metrics.strayed()
    ctx.logger.error(
      { syncer: syncer.name, key: formatKey(key), retryInMs: quarantineMs, error },
      'a promise that the syncer did not wait for was rejected; await it, or handle its rejection',
    )
    queue.addAfter(key, quarantineMs)
  }

  #succeeded(key: Key, outcome: Outcome | undefined): Sequel {
    const { lag, queue, refusals } = this.#options
    const lagMs = lag.succeeded(key)
    const told = lagMs === undefined ? {} : { lagMs }
    refusals.clear(key)
    this.#recovered(key)
    // At once means as soon as its backoff allows, or a run that always asks would never leave its worker to others.
    if (outcome?.requeueAfterMs === 0) return { result: 'requeue_after', nextInMs: queue.retry(key), ...told }
    queue.forget(key)
    if (outcome?.requeueAfterMs === undefined) return { result: 'success', ...told }
    return { ...this.#comeBack(key, outcome.requeueAfterMs), ...told }
  }

  #failed(key: Key, error: unknown): Sequel | undefined {
    const { abort, lag, quarantine, refusals } = this.#options
    if (abort.aborted) return undefined
    if (!(error instanceof StrangerError)) refusals.clear(key)
    const isOver = error instanceof StrangerError || error instanceof PermanentError
    if (isOver) quarantine.recovered(key)
    if (isOver) lag.dropped(key)
    else lag.failed(key)
    return { ...this.#sequelOfFailure(key, error), error }
  }

  #sequelOfFailure(key: Key, error: unknown): Sequel {
    if (error instanceof StrangerError) return this.#refuse(key, error)
    if (error instanceof PermanentError) return this.#giveUp(key, error)
    // Nothing is wrong with the object: its turn comes when the cluster takes such writes again, or has its owner back.
    if (error instanceof CircuitOpenError || error instanceof OwnerGoneError)
      return this.#comeBack(key, error.retryInMs)
    return this.#retry(key, error)
  }

  #refuse(key: Key, error: StrangerError): Sequel {
    const { queue, refusals } = this.#options
    const sequel: Sequel = { result: 'refused', nextInMs: strangerRetryMs }
    queue.forget(key)
    queue.addAfter(key, strangerRetryMs)
    if (!refusals.add(error.hostKey, key)) return sequel
    this.#metrics.refused()
    this.#report(key, 'NameConflict', error)
    return sequel
  }

  #giveUp(key: Key, error: PermanentError): Sequel {
    this.#options.queue.forget(key)
    this.#report(key, 'SyncError', error)
    return { result: 'terminal_error' }
  }

  #comeBack(key: Key, nextInMs: number): Sequel {
    this.#options.queue.addAfter(key, nextInMs)
    return { result: 'requeue_after', nextInMs }
  }

  #retry(key: Key, error: unknown): Sequel {
    const { ctx, queue, quarantine, syncer } = this.#options
    if (error instanceof RunTimeoutError) this.#metrics.timedOut()
    const isItsFault = isObjectsFault(error)
    const { isHeld, isNews } = isItsFault ? quarantine.failed(key) : { isHeld: false, isNews: false }
    const delayMs = isItsFault ? queue.retry(key) : queue.retry(key, outageRetryMs)
    const retryInMs = Math.round(delayMs + (isHeld ? quarantineMs : 0))
    if (isHeld) queue.rest(key, { leastMs: quarantineMs, mostMs: retryInMs })
    const fields = { syncer: syncer.name, key: formatKey(key), retryInMs, error }
    // A conflict only says that our view was a moment old; the next run sees the newer state.
    if (isConflict(error)) ctx.logger.debug(fields, 'the object changed meanwhile, trying again')
    else ctx.logger.error(fields, 'syncing failed, trying again')
    if (isNews) {
      ctx.logger.warn(fields, `syncing failed ${failuresBefore} times in a row; now tried once a minute`)
      this.#tell(key, 'Quarantined', quarantined(syncer.resource, error))
    }
    return { result: 'error', nextInMs: retryInMs }
  }

  #recovered(key: Key): void {
    const { ctx, syncer } = this.#options
    if (!this.#options.quarantine.recovered(key)) return
    ctx.logger.info({ syncer: syncer.name, key: formatKey(key) }, 'syncing succeeded again')
  }

  #report(key: Key, reason: string, error: Error): void {
    const { ctx, syncer } = this.#options
    ctx.logger.warn({ syncer: syncer.name, key: formatKey(key) }, error.message)
    this.#tell(key, reason, error)
  }

  /** Writes an Event about the virtual object, if it is there. */
  #tell(key: Key, reason: string, error: Error): void {
    const { ctx, events, syncer } = this.#options
    const virtual = ctx.virtual.store(syncer.resource).get(key)
    if (virtual) events.warning(virtual, reason, error.message)
  }
}
