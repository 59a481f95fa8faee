/**
 * Runs a program: its clusters, its units (controllers and other work), leadership, and the order of start and stop. An
 * entry point opens the clusters, says what a {@link ManagedProgram} consists of, and leaves the rest to the manager.
 * It promises that nothing is written before leadership is won or after it is lost, that caches are filled before the
 * first run, and that a stop closes the intake, lets running keys finish, and releases leadership last.
 */
import { setMaxListeners } from 'node:events'
import type { ClusterRuntime } from '../cluster/cluster-runtime.js'
import type { RunEnd } from '../controller/run-end.js'
import type { RunningController } from '../controller/running-controller.js'
import type { HealthCheck } from '../health/health.js'
import { PluginError } from '../kube/error.js'
import type { Leadership } from '../leader/leadership.js'
import type { Logger } from '../observe/logger.js'
import type { MemoryUsage } from '../observe/memory.js'
import type { Metrics } from '../observe/metrics.js'
import type { Clock } from '../time/clock.js'
import { type CheckedProgram, liveChecksOf, memoryCheck, readyChecksOf } from './checks.js'
import { Controllers } from './controllers.js'
import { IdleCollector } from './idle-collector.js'
import { failWhenAborted, failWhenLost, followLeadership, whenAborted, won } from './leadership-changes.js'
import { logRunning, type ManagedProgram, type ProgramNoun } from './managed-program.js'
import { followStandby, Standby } from './standby.js'
import { prepareUnits } from './start-order.js'
import { StartProgress } from './start-progress.js'
import { startUnit } from './start-unit.js'

/** Options of {@link ProgramManager}. */
export interface ManagerOptions {
  /** How log lines, checks and metrics call the program. */
  noun: ProgramNoun
  logger: Logger
  metrics: Metrics
  clock: Clock
  /** The memory usage of the process; without it memory is not checked. */
  memory?: MemoryUsage | undefined
  /** How long running keys may take to finish when the program stops, in milliseconds. */
  stopDeadlineMs: number
  /** Whether unhandled rejections of runs are kept from ending the process. */
  containsRejections: boolean
}

/** How long aborted runs may take to end, in milliseconds. */
const abortDeadlineMs = 1000

/** A program and its lifecycle: `start`, then `stop`, once. */
export class ProgramManager<C extends RunningController = RunningController> {
  readonly controllers: Controllers<C>
  readonly progress: StartProgress
  readonly #options: ManagerOptions
  readonly #stop = new AbortController()
  readonly #abort = new AbortController()
  readonly #idle: IdleCollector
  /** Work that starts when shard 0 is gained. If it fails, the program ends. */
  readonly #laterWork: Promise<void>[] = []
  #clusters: readonly ClusterRuntime[] = []
  #leadership: Leadership | undefined
  /** Set while another process leads. */
  #standby: Standby | undefined
  #isRunning = false
  #started: Promise<void> | undefined
  #ended: Promise<void> | undefined

  constructor(options: ManagerOptions) {
    const { noun, clock, metrics, memory } = options
    this.#options = options
    this.controllers = new Controllers({ clock })
    this.progress = new StartProgress({
      ...options,
      stores: () => this.#clusters.flatMap(({ watched }) => watched),
      controllers: () => this.controllers.running,
    })
    this.#idle = new IdleCollector({ memory, clock })
    followLeadership(metrics, () => this.#leadership, { noun, clock })
    followStandby(metrics, () => this.#isOnStandby)
    // Every worker and every call under way listens; that is not a leak.
    setMaxListeners(0, this.stopping, this.aborting)
  }

  /** Aborts when the intake closes. */
  get stopping(): AbortSignal {
    return this.#stop.signal
  }

  /** Aborts when runs under way have to end. */
  get aborting(): AbortSignal {
    return this.#abort.signal
  }

  get leadership(): Leadership | undefined {
    return this.#leadership
  }

  /** Whether all units have been started. */
  get isRunning(): boolean {
    return this.#isRunning
  }

  get hasStarted(): boolean {
    return this.#started !== undefined
  }

  /** The monotonic time until which the program may write, in milliseconds; `-Infinity` before it leads. */
  readonly deadline = (): number => this.#leadership?.deadline() ?? Number.NEGATIVE_INFINITY

  /** Makes the clusters known, for health checks and the progress of the start. */
  attach(clusters: readonly ClusterRuntime[]): void {
    this.#clusters = clusters
  }

  /** Records that a run has ended. */
  readonly ran = (_end: RunEnd): void => {
    this.progress.recordRun()
    this.#idle.recordRun()
  }

  /** Resolves after a stop; rejects when leadership is lost or the start fails. */
  start(program: ManagedProgram<C>): Promise<void> {
    // A stop must not wait for a step that may never end, such as a list without an answer.
    this.#started = Promise.race([this.#startUp(program), failWhenAborted(this.stopping)])
    this.#ended = this.#run(program)
    return this.#ended
  }

  /** Resolves when all units have been started; rejects when the start fails. Undefined before {@link start}. */
  get started(): Promise<void> | undefined {
    return this.#started
  }

  isIdle(): boolean {
    return this.#isRunning && this.controllers.isIdle()
  }

  /** Closes the intake. Resolves when a program that was started has ended. */
  async stop(reason: PluginError): Promise<void> {
    this.#stop.abort(reason)
    await this.#ended
  }

  /** The checks of `/healthz`. */
  liveChecks(): HealthCheck[] {
    const { memory } = this.#options
    if (this.#isRunning) return liveChecksOf(this.#checkedProgram)
    return memory ? [memoryCheck(memory)] : []
  }

  /** The checks of `/readyz`. */
  readyChecks(): HealthCheck[] {
    return [this.#standby?.check ?? this.#startedCheck, ...readyChecksOf(this.#checkedProgram)]
  }

  get #checkedProgram(): CheckedProgram {
    return {
      clusters: this.#clusters,
      controllers: this.controllers.running,
      leadership: this.#leadership,
      memory: this.#options.memory,
    }
  }

  readonly #startedCheck: HealthCheck = {
    name: 'started',
    wrong: () => (this.#isRunning ? undefined : `the ${this.#options.noun} is starting`),
  }

  /** Whether another process does the work: all of it, or all shards. */
  get #isOnStandby(): boolean {
    return this.#standby !== undefined || this.#leadership?.assignment?.shards.length === 0
  }

  async #run(program: ManagedProgram<C>): Promise<void> {
    let failure: unknown
    try {
      await this.#started
      await this.#waitForEnd()
    } catch (error) {
      // A stop during the start is a stop, not a failure.
      if (this.stopping.aborted) return
      failure = error
      throw error
    } finally {
      await this.#shutDown(program, failure)
    }
  }

  async #startUp(program: ManagedProgram<C>): Promise<void> {
    await program.beforeLeading(this.stopping)
    this.stopping.throwIfAborted()
    this.#leadership = await this.#lead(program)
    await won(this.#leadership)
    this.#standby = undefined
    await Promise.race([this.#setUp(program, this.#leadership), failWhenLost(this.#leadership)])
  }

  /** A replica that shares the work takes shards from others, so its stores are filled before that. */
  async #lead({ units, standby, lead }: ManagedProgram<C>): Promise<Leadership> {
    if (!standby) return lead()
    const { isShared, ...warmth } = standby
    const waiting = { units, clusters: this.#clusters, logger: this.#options.logger, ...warmth }
    this.#standby = new Standby({ ...waiting, signal: this.aborting })
    if (isShared) await this.#standby.whenReady
    this.stopping.throwIfAborted()
    return lead()
  }

  async #setUp(program: ManagedProgram<C>, { assignment }: Leadership): Promise<void> {
    const { units, checkPermissions } = program
    await program.afterWinning({ stopping: this.stopping, aborting: this.aborting })
    if (this.#options.containsRejections) this.controllers.containRejections(this.aborting)
    await prepareUnits(units, {
      clusters: this.#clusters,
      signal: this.aborting,
      checkPermissions,
      ...(assignment && { deadline: assignment.latestDeadline }),
    })
    this.progress.begin()
    for (const unit of units) {
      this.stopping.throwIfAborted()
      await startUnit(unit, {
        assignment,
        signal: this.aborting,
        onController: (controller) => this.controllers.add(controller),
        onLater: (work) => this.#laterWork.push(work),
      })
    }
    this.progress.keysEnqueued()
    await checkPermissions()
    this.#isRunning = true
    logRunning(units, this.#options)
  }

  async #waitForEnd(): Promise<void> {
    const stopped = whenAborted(this.stopping)
    if (!this.#leadership) return stopped
    const failed = Promise.all(this.#laterWork).then(() => stopped)
    await Promise.race([stopped, failed, failWhenLost(this.#leadership)])
  }

  /** Promise 10: the intake closes, running keys finish or are aborted by the deadline, leadership is released last. */
  async #shutDown(program: ManagedProgram<C>, failure: unknown): Promise<void> {
    this.#stop.abort(new PluginError('STOPPED', `the ${this.#options.noun} ends`))
    this.#leadership?.drain?.()
    this.#idle.stop()
    await this.controllers.end(this.#options.stopDeadlineMs)
    this.#abort.abort(this.stopping.reason)
    await this.controllers.end(abortDeadlineMs)
    await this.#leadership?.release()
    await program.close(failure)
  }
}
