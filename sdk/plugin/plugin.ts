/**
 * The front door: `init` finds both clusters, `register` takes syncers, `start` runs them until the plugin is
 * stopped. This room alone wires the others together.
 *
 * It promises the order of the start (see `start-order.ts`), that nothing is written before leadership or
 * after it, and that a stop closes the intake, lets running keys finish and releases leadership last.
 */
import { setMaxListeners } from 'node:events'
import type { RegisterContext } from '../context/register-context.js'
import type { RunEnd } from '../controller/run-end.js'
import type { Check } from '../health/health.js'
import { ClientHook } from '../hook/client-hook.js'
import { HookChain } from '../hook/hook-chain.js'
import { Interceptor } from '../hook/interceptor.js'
import { checkTogether, Interceptors } from '../hook/interceptors.js'
import { unpairedReads } from '../hook/unpaired-reads.js'
import type { Inspected, WatchedStore } from '../inspector/inspected.js'
import { PluginError } from '../kube/error.js'
import type { PluginErrorCode } from '../kube/error-code.js'
import type { Leadership } from '../leader/leadership.js'
import { AtWork } from '../manager/at-work.js'
import {
  failWhenAborted,
  failWhenLost,
  followLeadership,
  leadershipView,
  shardView,
  won,
} from '../manager/lead.js'
import { SpareMemory } from '../manager/spare-memory.js'
import { followStandby, Standby } from '../manager/standby.js'
import { StartProgress } from '../manager/start-progress.js'
import type { Logger } from '../observe/logger.js'
import type { MemoryUsage } from '../observe/memory.js'
import { MemoryGuard } from '../observe/memory-guard.js'
import { type Metrics, noMetrics } from '../observe/metrics.js'
import { askForAll } from '../syncer/reconcile/course.js'
import { Reconciler } from '../syncer/reconciler.js'
import type { Registrant } from '../syncer/registrant.js'
import { type Clock, systemClock } from '../time/clock.js'
import { checkRegistrant } from './check-registrant.js'
import { CopiesOwner } from './copies-owner.js'
import { describeHouse } from './describe-house.js'
import { describes } from './description.js'
import { createLogger } from './logger.js'
import { modeOf, openSession } from './mode.js'
import { checkNamespace } from './namespace-check.js'
import { permitting } from './permitting.js'
import {
  credentialsCheck,
  leftOutCheck,
  memoryCheck,
  runsCheck,
  shareChecks,
  watchesCheck,
} from './plugin-checks.js'
import { type ReadConfig, readPluginConfig } from './plugin-config.js'
import { PluginInspection } from './plugin-inspection.js'
import type { InitOptions, PluginOptions } from './plugin-options.js'
import { registrationWarnings } from './registration-warnings.js'
import type { OpenSession, Session } from './session.js'
import { type PrepareOptions, prepare } from './start-order.js'
import { type House, wire } from './wire.js'

/** A vcluster plugin: one per process, except in tests. */
export interface Plugin {
  /**
   * Waits until both clusters are known and answers what syncers are constructed with. Throws `PluginError`
   * when the environment or a kubeconfig is wrong.
   */
  init(options?: InitOptions): Promise<RegisterContext>
  /**
   * Takes a syncer, a hook, an interceptor, a fake syncer or any other registrant; its name must be its own. Call between
   * `init` and `start`. Throws `PluginError`, `INVALID_REGISTRATION` for a class in place of an instance, for example.
   */
  register(registrant: Registrant & { readonly prototype?: never }): void
  /**
   * Runs what was registered. Resolves after a stop; rejects with `PluginError` `LEADERSHIP_LOST` when another
   * has to take over, and with whatever made the start fail.
   */
  start(): Promise<void>
  /** Resolves when every syncer is at work; rejects when the start failed. */
  whenRunning(): Promise<void>
  /** Whether the plugin runs and no key is queued or under way. */
  isIdle(): boolean
  /** Ends the intake, lets running keys finish, releases leadership and closes the connections. */
  stop(): Promise<void>
}

/** Makes a plugin. Programs use the ready-made `plugin`; tests make as many as they like. */
export function createPlugin(options: PluginOptions = {}): Plugin {
  return new PluginRuntime(options)
}

/** How long runs that were aborted may take to notice, in milliseconds. */
const abortDeadlineMs = 1000

class PluginRuntime implements Plugin {
  readonly #env: Readonly<Record<string, string | undefined>>
  readonly #openSession: OpenSession
  readonly #stopDeadlineMs: number
  readonly #containsRejections: boolean
  readonly #inspection: PluginInspection
  readonly #memory: MemoryUsage | undefined
  readonly #observed: { logger: Logger; metrics: Metrics; clock: Clock }
  readonly #stop = new AbortController()
  readonly #abort = new AbortController()
  readonly #work: AtWork
  readonly #progress: StartProgress
  readonly #spareMemory: SpareMemory
  readonly #owner: CopiesOwner
  readonly #registrants = new Map<string, Registrant>()
  #initialising = false
  #house: House | undefined
  /** Looks whether the plugin may do what it is known to need so far. */
  #permit: () => Promise<void> = async () => {}
  #leadership: Leadership | undefined
  /** Set while another leads. */
  #standby: Standby | undefined
  /** What begins when shard 0 comes to us; one that fails ends the plugin. */
  readonly #begunLater: Promise<void>[] = []
  #isRunning = false
  #started: Promise<void> | undefined
  #ended: Promise<void> | undefined

  constructor(options: PluginOptions) {
    const { env = process.env, clock = systemClock, stopDeadlineMs = 10_000, inspect } = options
    const metrics = inspect?.metrics ?? options.metrics ?? noMetrics
    this.#memory = options.memory
    this.#env = env
    this.#openSession = options.openSession ?? openSession
    this.#stopDeadlineMs = stopDeadlineMs
    this.#containsRejections = options.containsRejections ?? true
    this.#observed = { logger: options.logger ?? createLogger(env), metrics, clock }
    this.#inspection = new PluginInspection(inspect, {
      ...this.#observed,
      inspected: () => this.#house && this.#inspected(this.#house),
      live: () => this.#liveChecks(),
      ready: () => this.#readyChecks(),
    })
    const { inspector } = this.#inspection
    const signals = { stop: this.#stop.signal, abort: this.#abort.signal }
    this.#progress = new StartProgress({
      ...this.#observed,
      stores: () => this.#stores(),
      syncers: () => this.#work.syncers,
    })
    this.#spareMemory = new SpareMemory({ memory: options.memory, clock })
    const onRun = (syncer: string, end: RunEnd) => {
      this.#progress.ran()
      this.#spareMemory.ran()
      options.onRunEnd?.(syncer, end)
    }
    this.#work = new AtWork({ ...this.#observed, ...signals, inspector, onRun })
    this.#owner = new CopiesOwner({ ...this.#observed, onChange: () => this.#work.ringAll() })
    followLeadership(metrics, () => this.#leadership, clock)
    followStandby(metrics, () => this.#standsBy)
    // Every worker and every call under way listens; that is no leak.
    setMaxListeners(0, this.#stop.signal, this.#abort.signal)
  }

  async init(options: InitOptions = {}): Promise<RegisterContext> {
    if (this.#initialising) {
      const message = 'plugin.init() was called twice; call it once and share its context'
      throw misused('ALREADY_INITIALISED', message)
    }
    this.#initialising = true
    try {
      await this.#inspection.serve()
      const session = await this.#openSession({
        ...this.#observed,
        ...options,
        env: this.#env,
        signal: this.#stop.signal,
      })
      const ctx = await this.#moveIn(session)
      this.#permit = this.#permitOf(session, options)
      return ctx
    } catch (error) {
      this.#initialising = false
      throw error
    }
  }

  #stores(): readonly WatchedStore[] {
    return this.#house ? [...this.#house.virtual.watched, ...this.#house.host.watched] : []
  }

  #inspected({ ctx, virtual }: House): Inspected {
    return {
      ctx,
      mode: modeOf(this.#env),
      isRunning: () => this.#isRunning,
      leadership: () => leadershipView(this.#leadership, this.#observed.clock, this.#isRunning),
      syncers: () => this.#work.syncers,
      hooks: () => this.#all(ClientHook),
      progress: () => this.#progress.view(),
      stores: () => this.#stores(),
      shardOf: (key) => shardView(this.#leadership ?? {}, key),
      otherNames: (resource) => virtual.otherNames(resource),
    }
  }

  readonly #deadline = () => this.#leadership?.deadline() ?? Number.NEGATIVE_INFINITY

  /** Whether another does the work: all of it, or all shards. */
  get #standsBy(): boolean {
    return this.#standby !== undefined || this.#leadership?.share?.shards.length === 0
  }

  readonly #startedCheck: Check = {
    name: 'started',
    wrong: () => (this.#isRunning ? undefined : 'the plugin is starting'),
  }

  #liveChecks(): Check[] {
    const memory = this.#memory ? [memoryCheck(this.#memory)] : []
    if (!this.#house || !this.#isRunning) return memory
    const { virtual, host } = this.#house
    return [...memory, watchesCheck(virtual), watchesCheck(host), runsCheck(this.#work.syncers)]
  }

  #readyChecks(): Check[] {
    const memory = this.#memory ? [leftOutCheck(this.#stores(), this.#memory)] : []
    const credentials = this.#house ? [this.#house.virtual, this.#house.host].map(credentialsCheck) : []
    const started = this.#standby?.check ?? this.#startedCheck
    return [started, ...credentials, ...memory, ...shareChecks(this.#leadership)]
  }

  async #moveIn(session: Session): Promise<RegisterContext> {
    const config = await this.#configOrLeave(session)
    const recorder = this.#inspection.inspector?.recorder
    this.#house = wire(session, {
      ...this.#observed,
      ...(this.#memory && { memory: new MemoryGuard({ memory: this.#memory, clock: this.#observed.clock }) }),
      config,
      deadline: this.#deadline,
      deadlineOfWork: () => this.#leadership?.share?.deadlineOfWork() ?? this.#deadline,
      owner: () => this.#owner.ofNewCopies(),
      onPage: this.#progress.listed,
      ...(recorder && { onWritten: (side, written) => recorder.written(side, written) }),
    })
    return this.#house.ctx
  }

  /** Nobody else closes the session yet: neither whoever stops the plugin, nor whoever started it. */
  async #configOrLeave(session: Session): Promise<ReadConfig> {
    try {
      const config = await readPluginConfig(this.#env)
      this.#stop.signal.throwIfAborted()
      return config
    } catch (error) {
      await session.close(error)
      throw error
    }
  }

  register(registrant: Registrant): void {
    this.#needHouse('plugin.register()')
    checkRegistrant(registrant)
    const { name } = registrant
    if (this.#started) throw misused('ALREADY_STARTED', `${name} was registered after plugin.start()`)
    if (this.#registrants.has(name)) {
      throw misused('DUPLICATE_NAME', `two syncers are named ${name}; give each a name of its own`)
    }
    if (registrant instanceof Interceptor) checkTogether([...this.#all(Interceptor), registrant])
    if (registrant instanceof ClientHook) this.#warnOf(registrant)
    this.#registrants.set(name, registrant)
  }

  #warnOf(hook: ClientHook): void {
    for (const problem of unpairedReads(hook)) this.#observed.logger.warn({ hook: hook.name }, problem)
  }

  start(): Promise<void> {
    const house = this.#needHouse('plugin.start()')
    if (this.#ended) throw misused('ALREADY_STARTED', 'plugin.start() was called twice')
    if (describes(this.#env)) return this.#describe(house)
    // A stop must not wait for a step that may take for ever: a list that does not come, an init that hangs.
    this.#started = Promise.race([this.#startUp(house), failWhenAborted(this.#stop.signal)])
    this.#ended = this.#run(house)
    return this.#ended
  }

  async whenRunning(): Promise<void> {
    if (!this.#started) throw misused('NOT_STARTED', 'plugin.start() was not called yet')
    await this.#started
  }

  isIdle(): boolean {
    return this.#isRunning && this.#work.isIdle()
  }

  async stop(): Promise<void> {
    this.#stop.abort(new PluginError('STOPPED', 'the plugin was stopped'))
    if (this.#ended) await this.#ended
    else await this.#leave(this.#house)
  }

  #permitOf(session: Session, { missingPermissions: missing = 'fail' }: InitOptions): () => Promise<void> {
    const house = this.#needHouse('plugin.init()')
    if (!session.asksPermissions || missing === 'ignore') return async () => {}
    const { signal } = this.#stop
    const { logger } = this.#observed
    return permitting({
      house,
      registrants: this.#registrants,
      mode: modeOf(this.#env),
      missing,
      logger,
      signal,
    })
  }

  /** In place of a start; one line of its own, because programs print what they like before it. */
  async #describe(house: House): Promise<void> {
    for (const one of this.#registrants.values()) if (one instanceof Reconciler) askForAll(one, house.ctx)
    process.stdout.write(`${JSON.stringify(describeHouse(house, this.#registrants.values()))}\n`)
  }

  async #run(house: House): Promise<void> {
    let failure: unknown
    try {
      await this.#started
      await this.#untilTheEnd()
    } catch (error) {
      // A stop during the start is a stop, not a failure.
      if (this.#stop.signal.aborted) return
      failure = error
      throw error
    } finally {
      await this.#shutDown(house, failure)
    }
  }

  async #startUp(house: House): Promise<void> {
    const { signal } = this.#stop
    if (this.#registrants.size === 0) this.#observed.logger.warn({}, nothingRegistered)
    for (const warning of registrationWarnings(this.#registrants.values()))
      this.#observed.logger.warn({}, warning)
    const { virtual } = house.session
    const hooks = new HookChain({ hooks: this.#all(ClientHook), ...this.#observed })
    const interceptors = new Interceptors({
      interceptors: this.#all(Interceptor),
      virtual,
      ...this.#observed,
    })
    if (house.session.asksPermissions) await checkNamespace(house.session, { ...this.#observed, signal })
    await this.#permit()
    await house.session.announce({ hooks, interceptors, signal })
    signal.throwIfAborted()
    this.#leadership = await this.#lead(house)
    await won(this.#leadership)
    this.#standby = undefined
    await Promise.race([this.#setUp(house, this.#leadership), failWhenLost(this.#leadership)])
  }

  /** Who shares the work takes it from others, so its stores are full before that. */
  async #lead({ session, ...house }: House): Promise<Leadership> {
    if (session.isWarm === undefined) return session.lead()
    const standby = new Standby(this.#registrants.values(), { session, ...house }, this.#abort.signal)
    this.#standby = standby
    if (session.isShared) await standby.whenReady
    this.#stop.signal.throwIfAborted()
    return session.lead()
  }

  #all<T extends Registrant>(kind: abstract new (...args: never[]) => T): T[] {
    return [...this.#registrants.values()].filter((one): one is T => one instanceof kind)
  }

  async #setUp(house: House, { share }: Leadership): Promise<void> {
    const { signal } = this.#stop
    const begin: PrepareOptions['begin'] = (work) => (share ? share.begin(work) : work())
    await this.#owner.follow(house, { stop: signal, abort: this.#abort.signal })
    if (this.#containsRejections) this.#work.containStrays()
    const preparing = { begin, signal: this.#abort.signal, permit: this.#permit }
    await prepare(this.#registrants.values(), house, preparing)
    this.#progress.begin()
    for (const registrant of this.#registrants.values()) {
      signal.throwIfAborted()
      if (registrant instanceof Reconciler) this.#work.begin(registrant, house, share)
      await this.#registerFree(registrant, house)
    }
    this.#progress.rung()
    await this.#permit()
    this.#isRunning = true
    this.#observed.logger.info({ syncers: [...this.#registrants.keys()] }, 'the plugin is running')
  }

  /** What works on account of no key is done once among replicas that share the work: where shard 0 is. */
  async #registerFree(registrant: Registrant, { ctx }: House): Promise<void> {
    if (!registrant.register) return
    const { share } = this.#leadership ?? {}
    const begun = async () => registrant.register?.(ctx, this.#abort.signal)
    if (!share || share.shards.includes(0)) await begun()
    else this.#begunLater.push(share.whenFirst().then(begun))
  }

  async #untilTheEnd(): Promise<void> {
    const { signal } = this.#stop
    const stopped = new Promise<void>((resolve) => {
      if (signal.aborted) resolve()
      else signal.addEventListener('abort', () => resolve(), { once: true })
    })
    if (!this.#leadership) return stopped
    const failed = Promise.all(this.#begunLater).then(() => stopped)
    await Promise.race([stopped, failed, failWhenLost(this.#leadership)])
  }

  /**
   * Promise 10: the intake closes, running keys finish or abort by the deadline, leadership goes last. A vcluster process that
   * still waits for the plugin is told of its `failure`.
   */
  async #shutDown(house: House, failure: unknown): Promise<void> {
    this.#stop.abort(new PluginError('STOPPED', 'the plugin ends'))
    this.#leadership?.drain?.()
    this.#spareMemory.stop()
    await this.#work.end(this.#stopDeadlineMs)
    this.#abort.abort(this.#stop.signal.reason)
    await this.#work.end(abortDeadlineMs)
    await this.#leadership?.release()
    await this.#leave(house, failure)
  }

  async #leave(house: House | undefined, failure?: unknown): Promise<void> {
    await house?.session.close(failure)
    await this.#inspection.close()
  }

  #needHouse(call: string): House {
    if (this.#house) return this.#house
    throw misused(
      'NOT_INITIALISED',
      `${call} was called before plugin.init() had answered; await plugin.init() first`,
    )
  }
}

const nothingRegistered =
  'no syncer was registered, so nothing will be copied: call plugin.register(...) before plugin.start()'

const misused = (code: PluginErrorCode, message: string) => new PluginError(code, message)
