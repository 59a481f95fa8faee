/**
 * Runs one controller: changes trigger keys, the queue holds each key once, workers take them through a list of
 * middleware to `reconcile`, and a failed key runs again later. Start reading here.
 *
 * It promises that no key runs before the caches hold their first lists, that a failing key does not delay its
 * neighbours, and that no error of a reconciler ends the stream of triggers.
 */
import pick from 'lodash/pick.js'
import type { Subscription } from 'rxjs'
import type { Key } from '../kube/key.js'
import type { EventRecorder } from '../observe/event-recorder.js'
import type { Logger } from '../observe/logger.js'
import type { Metrics } from '../observe/metrics.js'
import { processTracing } from '../observe/tracing.js'
import { allKeys, type KeyAssignment } from '../queue/key-assignment.js'
import { runWorkers } from '../queue/run-workers.js'
import { WorkQueue } from '../queue/work-queue.js'
import { cancelledWith } from '../time/cancellation.js'
import type { Clock } from '../time/clock.js'
import type { Controller } from './controller.js'
import { containRejections } from './middleware/contain-rejections.js'
import { onlyOwnShard } from './middleware/only-own-shard.js'
import { recordResult } from './middleware/record-result.js'
import { timeLimit } from './middleware/time-limit.js'
import { traced } from './middleware/traced.js'
import { whenCachesSynced } from './middleware/when-caches-synced.js'
import { NameConflicts } from './name-conflicts.js'
import { Quarantine } from './quarantine.js'
import { ResultHandler } from './result-handler.js'
import { Resync } from './resync.js'
import { compose, type RunHandler } from './run.js'
import type { RunEnd } from './run-end.js'
import { registerWorkerGauges } from './run-metrics.js'
import type { ControllerKeyState, ControllerLoad, RunningController } from './running-controller.js'
import { SyncLag } from './sync-lag.js'
import type { UnhandledRejections } from './unhandled-rejections.js'
import { WaitForCaches } from './wait-for-caches.js'
import { wakeDeleted } from './wake-deleted.js'

/** Options of {@link runController}. */
export interface RunControllerOptions {
  /** Writes Events about the objects of keys. */
  events: EventRecorder
  logger: Logger
  metrics: Metrics
  clock: Clock
  /** Stops the intake: no further key is taken. */
  stop: AbortSignal
  /** Aborts the runs under way. */
  abort: AbortSignal
  /** Catches rejections of promises that runs did not await; without this option they end the process. */
  rejections?: UnhandledRejections
  /** The keys that this replica runs; default all. */
  assignment?: KeyAssignment
  /** How many keys run at a time; default 32, as many as there are connections for calls. */
  workers?: number
  /** The group of a key: keys of one group never run at the same time. Default none. Must not throw. */
  groupOf?: (key: Key) => string | undefined
  /** How many runs may begin in any second; default no limit. */
  maxRunsPerSecond?: number
  /** Enqueues every key in the background at this interval, in milliseconds, plus or minus 10 %; default never. */
  resyncMs?: number
  /** See {@link ResultHandlerOptions.onRunEnd}. */
  onRunEnd?: (end: RunEnd) => void
}

/**
 * The number of keys that run at a time. A run mostly waits for one write, so more workers than connections for calls
 * would not be faster.
 */
const defaultWorkers = 32

/** How long a run may take to end after its limit, in milliseconds, before its worker takes the next key. */
const stuckGraceMs = 1000

/** A key that is due within this time, in milliseconds, keeps the controller from being idle. */
const soonMs = 1000

/** Runs the keys of `controller` as soon as its caches hold their first lists. */
export function runController(controller: Controller, options: RunControllerOptions): RunningController {
  return new ControllerLoop(controller, options)
}

/** The loop of one controller. Its public members are described by {@link RunningController}. */
class ControllerLoop implements RunningController {
  readonly name: string
  readonly runLimitMs: number
  readonly ended: Promise<void>
  readonly #controller: Controller
  readonly #options: RunControllerOptions
  readonly #assignment: KeyAssignment
  readonly #workers: number
  readonly #queue: WorkQueue
  readonly #resync: Resync
  readonly #conflicts = new NameConflicts()
  readonly #quarantine: Quarantine
  readonly #lag: SyncLag

  constructor(controller: Controller, options: RunControllerOptions) {
    const { name, runLimitMs } = controller
    const { clock, metrics, stop, assignment = allKeys, workers = defaultWorkers } = options
    const limits = pick(options, 'groupOf', 'maxRunsPerSecond')
    this.name = name
    this.runLimitMs = runLimitMs
    this.#controller = controller
    this.#options = options
    this.#assignment = assignment
    this.#workers = workers
    this.#queue = new WorkQueue({ name, clock, metrics, workers, ...limits })
    this.#lag = new SyncLag({ name, clock, metrics })
    this.#quarantine = new Quarantine({ name, metrics })
    this.#resync = new Resync({ knownKeys: () => controller.knownKeys(), queue: this.#queue, clock, stop })
    this.#closeWhenStopped(stop, this.#subscribe())
    this.enqueueAll()
    this.ended = this.#startWhenSynced()
  }

  isIdle(): boolean {
    const { caches } = this.#controller
    const isQueueIdle = this.#queue.size === 0 && this.#queue.dueInMs > soonMs && !this.#resync.isRunning
    return this.#queue.running === 0 && (!caches.served || (caches.synced && isQueueIdle))
  }

  oldestRunMs(): number {
    return this.#queue.oldestRunMs
  }

  load(): ControllerLoad {
    const { size: waiting, background, running, delayed } = this.#queue
    return {
      waiting,
      background,
      running,
      delayed,
      workers: this.#workers,
      isResyncing: this.#resync.isRunning,
    }
  }

  stateOf(key: Key): ControllerKeyState {
    return {
      ...this.#queue.stateOf(key),
      isQuarantined: this.#quarantine.holds(key),
      conflictsWith: this.#conflicts.foreignOf(key),
    }
  }

  knownKeys(): Iterable<Key> {
    return this.#controller.knownKeys()
  }

  runNow(key: Key): void {
    if (this.#assignment.holds(key)) this.#queue.wake(key)
  }

  enqueueAll(): void {
    this.#resync.enqueueAll(this.#assignment.holds)
  }

  /** Enqueues the keys that changes trigger, and those of newly assigned shards. */
  #subscribe(): Subscription {
    const subscription = this.#controller.triggers$(this.#conflicts).subscribe((key) => this.#enqueue(key))
    subscription.add(this.#assignment.gained$.subscribe((isGained) => this.#resync.enqueueAll(isGained)))
    return subscription
  }

  #enqueue(key: Key): void {
    if (!this.#assignment.holds(key)) return
    this.#lag.recordChange(key)
    this.#queue.add(key)
    // A run under way may have read the object before the deletion; its end decides what follows.
    if (this.#quarantine.size > 0 && !this.#queue.isRunning(key)) this.#wakeDeleted(key)
  }

  #wakeDeleted(key: Key): void {
    wakeDeleted(key, { controller: this.#controller, quarantine: this.#quarantine, queue: this.#queue })
  }

  #closeWhenStopped(stop: AbortSignal, subscription: Subscription): void {
    const close = () => {
      subscription.unsubscribe()
      this.#queue.close()
    }
    stop.addEventListener('abort', close, { once: true })
  }

  /** Starts the workers when the caches are filled. Does nothing if `stop` aborts before. */
  async #startWhenSynced(): Promise<void> {
    const { caches } = this.#controller
    if (!caches.synced) {
      const isSynced = await caches.whenSynced(this.#options.stop).then(
        () => true,
        () => false,
      )
      if (!isSynced) return
    }
    const { resyncMs } = this.#options
    if (resyncMs !== undefined) this.#resync.repeat(resyncMs, this.#assignment.holds)
    await this.#startWorkers()
  }

  /** Runs the workers. Resolves when the queue is closed and the last run has ended. */
  #startWorkers(): Promise<void> {
    const { abort, clock, logger, metrics } = this.#options
    registerWorkerGauges(
      { name: this.name, metrics },
      { max: this.#workers, active: () => this.#queue.running },
    )
    const run = this.#composeHandler()
    // One listener of the signal for all runs: adding one for each run would take longer than much of a run.
    const aborted = cancelledWith(abort)
    return runWorkers({
      queue: this.#queue,
      workers: this.#workers,
      work: (key) => run({ key, signal: aborted }),
      stuckAfterMs: this.runLimitMs + stuckGraceMs,
      signal: abort,
      clock,
      logger,
    })
  }

  /** `reconcile` inside its middleware, the outermost first. */
  #composeHandler(): RunHandler {
    const { clock, rejections, stop } = this.#options
    const controller = this.#controller
    const tracing = processTracing()
    const results = new ResultHandler({
      ...this.#options,
      controller,
      queue: this.#queue,
      conflicts: this.#conflicts,
      quarantine: this.#quarantine,
      lag: this.#lag,
    })
    const onUsable = (skipped: Iterable<Key>) => this.#resync.enqueueAll(this.#assignment.holds, skipped)
    const caches = new WaitForCaches({ caches: controller.caches, stop, onUsable })
    return compose(
      [
        onlyOwnShard({ assignment: this.#assignment, queue: this.#queue }),
        whenCachesSynced(caches),
        recordResult(results),
        ...(tracing ? [traced(tracing, this.name)] : []),
        ...(rejections ? [containRejections(rejections, results)] : []),
        timeLimit({ limitMs: this.runLimitMs, clock }),
      ],
      controller.reconcile,
    )
  }
}
