/**
 * The vcluster entry point: `init` finds both clusters, `register` takes syncers, `start` runs them until the plugin is
 * stopped. It opens the session of the mode, wires its clusters and hands everything to the manager.
 */

import type { RunEnd } from '../../engine/controller/run-end.js'
import { PluginError } from '../../engine/kube/error.js'
import { describes } from '../../engine/manager/describes.js'
import type { ManagedProgram } from '../../engine/manager/managed-program.js'
import { ProgramManager } from '../../engine/manager/program-manager.js'
import { createLogger } from '../../engine/observe/create-logger.js'
import type { Logger } from '../../engine/observe/logger.js'
import { type Metrics, noMetrics } from '../../engine/observe/metrics.js'
import { type Clock, systemClock } from '../../engine/time/clock.js'
import type { RegisterContext } from '../context/register-context.js'
import type { Runnable } from '../syncer/runnable.js'
import { announce } from './announce.js'
import { CopiesOwner } from './copies-owner.js'
import { printDescription } from './describe-wiring.js'
import type { InspectedParts } from './inspection/plugin-inspector.js'
import { modeOf, openSession } from './mode.js'
import { permitting } from './permitting.js'
import type { Plugin } from './plugin.js'
import { PluginInspection } from './plugin-inspection.js'
import type { InitOptions, PluginRuntimeOptions } from './plugin-options.js'
import { Registrations } from './registrations.js'
import type { Session } from './session.js'
import { unitsOf } from './units.js'
import { attachSession, type Wiring } from './wire.js'

/** Creates a plugin with the options that only the SDK's own entry points and tests set. */
export function createPluginRuntime(options: PluginRuntimeOptions = {}): Plugin {
  return new PluginRuntime(options)
}

class PluginRuntime implements Plugin {
  readonly #env: Readonly<Record<string, string | undefined>>
  readonly #options: PluginRuntimeOptions
  readonly #observed: { logger: Logger; metrics: Metrics; clock: Clock }
  readonly #manager: ProgramManager
  readonly #inspection: PluginInspection
  readonly #owner: CopiesOwner
  readonly #registered: Registrations
  #initialising = false
  #wiring: Wiring | undefined
  #checkPermissions: () => Promise<void> = async () => {}

  constructor(options: PluginRuntimeOptions) {
    const { env = process.env, clock = systemClock, probes, memory } = options
    const metrics = options.metrics ?? probes?.metrics ?? noMetrics
    this.#env = env
    this.#options = options
    this.#observed = { logger: options.logger ?? createLogger(env), metrics, clock }
    this.#registered = new Registrations(this.#observed)
    this.#manager = new ProgramManager({
      noun: 'plugin',
      ...this.#observed,
      memory,
      stopDeadlineMs: options.stopDeadlineMs ?? 10_000,
      containsRejections: options.containsRejections ?? true,
    })
    this.#inspection = new PluginInspection({
      ...this.#observed,
      env,
      probes,
      parts: () => this.#inspectedParts(),
      live: () => this.#manager.liveChecks(),
      ready: () => this.#manager.readyChecks(),
    })
    const onChange = () => this.#manager.controllers.enqueueAll()
    this.#owner = new CopiesOwner({ ...this.#observed, onChange })
  }

  async init(options: InitOptions = {}): Promise<RegisterContext> {
    if (this.#initialising) {
      const message = 'plugin.init() was called twice; call it once and share its context'
      throw new PluginError('ALREADY_INITIALISED', message)
    }
    this.#initialising = true
    try {
      await this.#inspection.serve()
      const session = await this.#open(options)
      this.#wiring = await this.#attach(session)
      await this.#inspection.admitReaders(session.host)
      this.#checkPermissions = this.#permissionCheck(this.#wiring, options)
      return this.#wiring.ctx
    } catch (error) {
      this.#initialising = false
      throw error
    }
  }

  register(...runnables: Runnable[]): void {
    this.#needWiring('plugin.register()')
    for (const runnable of runnables) this.#registered.add(runnable, { isLate: this.#manager.hasStarted })
  }

  start(): Promise<void> {
    const wiring = this.#needWiring('plugin.start()')
    if (this.#manager.hasStarted) throw new PluginError('ALREADY_STARTED', 'plugin.start() was called twice')
    if (describes(this.#env)) return printDescription(this.#registered.values, wiring)
    return this.#manager.start(this.#program(wiring))
  }

  async whenRunning(): Promise<void> {
    const { started } = this.#manager
    if (!started) throw new PluginError('NOT_STARTED', 'plugin.start() was not called yet')
    await started
  }

  isIdle(): boolean {
    return this.#manager.isIdle()
  }

  async stop(): Promise<void> {
    const wasStarted = this.#manager.hasStarted
    await this.#manager.stop(new PluginError('STOPPED', 'the plugin was stopped'))
    if (!wasStarted) await this.#close(this.#wiring)
  }

  /** Undefined before both clusters are known. */
  #inspectedParts(): InspectedParts | undefined {
    return (
      this.#wiring && {
        wiring: this.#wiring,
        manager: this.#manager,
        registered: this.#registered,
        mode: modeOf(this.#env),
      }
    )
  }

  #open(options: InitOptions): Promise<Session> {
    const open = this.#options.openSession ?? openSession
    return open({ ...this.#observed, ...options, env: this.#env, signal: this.#manager.stopping })
  }

  async #attach(session: Session): Promise<Wiring> {
    const recorder = this.#inspection.recorder
    const wiring = await attachSession(session, {
      ...this.#observed,
      memory: this.#options.memory,
      env: this.#env,
      signal: this.#manager.stopping,
      deadline: this.#manager.deadline,
      owner: () => this.#owner.ofNewCopies(),
      onPage: this.#manager.progress.recordPage,
      ...(recorder && { onWritten: recorder.written.bind(recorder) }),
    })
    this.#manager.attach([wiring.virtual, wiring.host])
    return wiring
  }

  #permissionCheck(wiring: Wiring, { missingPermissions: missing }: InitOptions): () => Promise<void> {
    const { logger } = this.#observed
    const signal = this.#manager.stopping
    const runnables = this.#registered.values
    return permitting({ wiring, runnables, mode: modeOf(this.#env), missing, logger, signal })
  }

  #program(wiring: Wiring): ManagedProgram {
    const { session } = wiring
    const { isWarm, isShared = false } = session
    return {
      units: this.#units(wiring),
      standby: isWarm === undefined ? undefined : { isWarm, isShared },
      beforeLeading: (signal) =>
        announce(session, {
          ...this.#observed,
          registered: this.#registered,
          checkPermissions: this.#checkPermissions,
          signal,
        }),
      lead: () => session.lead(),
      afterWinning: (signals) => this.#owner.follow(wiring, signals),
      checkPermissions: () => this.#checkPermissions(),
      close: (failure) => this.#close(wiring, failure),
    }
  }

  #units(wiring: Wiring) {
    const { controllers, stopping: stop, aborting: abort, ran } = this.#manager
    const onRunEnd = (syncer: string, end: RunEnd) => {
      ran(end)
      this.#options.onRunEnd?.(syncer, end)
    }
    const shared = { wiring, stop, abort, onRunEnd, recorder: this.#inspection.recorder }
    const assignment = () => this.#manager.leadership?.assignment
    const rejections = () => controllers.rejections
    return unitsOf(this.#registered.values, { ...shared, assignment, rejections })
  }

  async #close(wiring: Wiring | undefined, failure?: unknown): Promise<void> {
    await wiring?.session.close(failure)
    await this.#inspection.close()
  }

  #needWiring(call: string): Wiring {
    if (this.#wiring) return this.#wiring
    throw new PluginError(
      'NOT_INITIALISED',
      `${call} was called before plugin.init() had answered; await plugin.init() first`,
    )
  }
}
