/**
 * The entry point of programs without a vcluster: `register` takes controllers, `start` opens the clusters,
 * waits for leadership and runs them until the operator is stopped. It hands everything to the manager.
 */
import { openUntil } from '../client/write-gate.js'
import { ClusterRuntime } from '../cluster/cluster-runtime.js'
import type { ProbedProgram } from '../health/probes.js'
import type { Inspector } from '../inspector/inspector.js'
import { recordedUnit } from '../inspector/recorded-unit.js'
import { checkDnsLabel } from '../kube/dns-label.js'
import { PluginError } from '../kube/error.js'
import type { KubeObject } from '../kube/object.js'
import { Manager } from '../manager/manager.js'
import type { Program } from '../manager/program.js'
import { stopOnSignals } from '../manager/stop-on-signals.js'
import type { Unit } from '../manager/unit.js'
import { MemoryGuard } from '../observe/memory-guard.js'
import { noMetrics } from '../observe/metrics.js'
import { createLogger } from '../plugin/logger.js'
import { describes } from '../plugin/mode.js'
import { systemClock } from '../time/clock.js'
import { AppliedFields } from '../watch/applied-fields.js'
import { checkSharable, checkShards } from './check-shards.js'
import type { OperatorDescription } from './describe/operator-description.js'
import { type ControllerDefinition, type RegistrableController, registrable } from './engine/controller.js'
import { operatorInspector } from './inspected-operator.js'
import { operatorLeadership, ownNamespace } from './operator-leadership.js'
import type { InternalOperatorOptions, OpenedClusters } from './operator-options.js'
import { Webhooks } from './webhook/webhooks.js'
import { webhooksByEnvironment } from './webhook/webhooks-by-environment.js'

/** A program of controllers. */
export interface Operator {
  /** Takes a controller; its name must be its own. Call before `start`. */
  register<T extends KubeObject>(controller: ControllerDefinition<T>): void
  /**
   * Opens the clusters and runs the controllers. Resolves after a stop; rejects with `PluginError` `LEADERSHIP_LOST` when
   * another replica has to take over, and with the reason when the start fails.
   */
  start(): Promise<void>
  /** Resolves when every controller is at work; rejects when the start failed. */
  whenRunning(): Promise<void>
  /** Whether the operator runs and no key waits or runs. */
  isIdle(): boolean
  /** Closes the intake, lets running keys finish, releases leadership and closes the connections. */
  stop(): Promise<void>
}

/** An operator for programs around it. */
export interface InternalOperator extends Operator {
  /** Describes what was registered so far. */
  describe(): Promise<OperatorDescription>
}

/** Makes an operator, with options that only programs around it set; see `createOperator`. */
export function createInternalOperator(options: InternalOperatorOptions): InternalOperator {
  return new OperatorRuntime(options)
}

class OperatorRuntime implements InternalOperator {
  readonly #options: InternalOperatorOptions
  readonly #observed
  readonly #env: Readonly<Record<string, string | undefined>>
  readonly #manager: Manager
  readonly #appliedFields = new AppliedFields()
  readonly #definitions = new Map<string, RegistrableController>()
  readonly #webhooks: Webhooks | undefined
  #inspector: Inspector | undefined
  #wired: readonly ClusterRuntime[] | undefined
  #started: Promise<void> | undefined
  #ended: Promise<void> | undefined

  constructor(given: InternalOperatorOptions) {
    const { name, env = process.env, clock = systemClock, webhooks } = given
    checkDnsLabel('name', name)
    checkShards(given)
    const options = webhooks ? { ...given, webhooks: webhooksByEnvironment(webhooks, env) } : given
    this.#options = options
    this.#env = env
    const metrics = options.metrics ?? options.probes?.metrics ?? noMetrics
    this.#observed = { logger: options.logger ?? createLogger(env), metrics, clock }
    this.#webhooks = options.webhooks && new Webhooks(options.webhooks, { name, ...this.#observed })
    this.#manager = new Manager({
      noun: 'operator',
      ...this.#observed,
      memory: options.memory,
      stopDeadlineMs: options.stopDeadlineMs ?? 10_000,
      containsRejections: options.containsRejections ?? true,
    })
  }

  register<T extends KubeObject>(definition: ControllerDefinition<T>): void {
    const controller = registrable(definition)
    const { name } = controller
    if (this.#ended)
      throw new PluginError('ALREADY_STARTED', `register controller ${name} before operator.start()`)
    if (this.#definitions.has(name)) {
      const message = `two controllers are named ${name}: give one of them another name`
      throw new PluginError('INVALID_REGISTRATION', message)
    }
    checkSharable(controller as unknown as RegistrableController, this.#options.shards)
    controller.checkBeside([...this.#definitions.values()])
    this.#definitions.set(name, controller as unknown as RegistrableController)
  }

  start(): Promise<void> {
    if (this.#ended) throw new PluginError('ALREADY_STARTED', 'operator.start() was called twice')
    if (describes(this.#env)) return this.#printDescription()
    const ignoreSignals = this.#options.stopsOnSignals ? stopOnSignals(() => void this.stop()) : () => {}
    const begun = this.#begin()
    this.#started = begun.then(() => this.#manager.started)
    this.#started.catch(() => {}) // `ended` rejects, too.
    this.#ended = begun.then(({ ended }) => ended).finally(ignoreSignals)
    return this.#ended
  }

  async whenRunning(): Promise<void> {
    if (!this.#started) throw new PluginError('NOT_STARTED', 'operator.start() was not called yet')
    await this.#started
  }

  isIdle(): boolean {
    return this.#manager.isIdle()
  }

  async stop(): Promise<void> {
    this.#webhooks?.drain()
    await this.#manager.stop(new PluginError('STOPPED', 'the operator was stopped'))
    await this.#ended?.catch(() => {})
  }

  async describe(): Promise<OperatorDescription> {
    const { describeOperator } = await import('./describe/describe-operator.js')
    const controllers = [...this.#definitions.values()]
    for (const one of controllers) await one.findPermissions()
    return describeOperator(this.#options, controllers)
  }

  /** In an object, because a promise cannot be the result of a promise. */
  async #begin(): Promise<{ ended: Promise<void> }> {
    await this.#serve()
    await this.#webhooks?.listen()
    const opened = await this.#open()
    const [first] = opened.transports.values()
    if (first) await this.#options.probes?.admitReaders(first, this.#probed)
    const clusters = this.#clusters(opened)
    this.#wired = clusters
    this.#manager.attach(clusters)
    this.#attachWebhooks(clusters, ownNamespace(this.#options, opened))
    const isWarm = (await this.#webhooks?.hasConversions()) ?? true
    return {
      ended: this.#manager.start({
        ...this.#program(opened, clusters),
        standby: { isWarm, isShared: (this.#options.shards ?? 1) > 1 },
      }),
    }
  }

  /** Prints what was registered, instead of running it; for commands that print roles and manifests. */
  async #printDescription(): Promise<void> {
    process.stdout.write(`${JSON.stringify(await this.describe())}\n`)
  }

  get #probed(): ProbedProgram {
    return { name: this.#options.name, ...this.#observed }
  }

  async #serve(): Promise<void> {
    const live = () => this.#manager.liveChecks()
    const ready = () => {
      const checks = this.#manager.readyChecks()
      return this.#webhooks?.readyChecks(checks) ?? checks
    }
    const { probes } = this.#options
    this.#inspector = await operatorInspector(() => this.#wired, {
      ...this.#observed,
      ...{ manager: this.#manager, options: this.#options, served: probes?.metrics, env: this.#env },
    })
    await probes?.serve({ live, ready, pages: this.#inspector }, this.#probed)
  }

  #attachWebhooks([cluster]: readonly ClusterRuntime[], namespace: string): void {
    const ready = () => this.#manager.readyChecks()
    if (cluster) this.#webhooks?.attach({ cluster, namespace, ready, signal: this.#manager.aborting })
  }

  async #open(): Promise<OpenedClusters> {
    const { openClusters: open, name, clusters } = this.#options
    if (open) return open()
    const { openClusters } = await import('./open-clusters.js')
    return openClusters({ name, clusters, env: this.#env, ...this.#observed })
  }

  #clusters({ transports }: OpenedClusters): ClusterRuntime[] {
    const { memory, namespace } = this.#options
    const { clock } = this.#observed
    const gate = openUntil({ deadline: this.#manager.deadline, clock })
    const guard = memory && { memory: new MemoryGuard({ memory, clock }) }
    const recorder = this.#inspector?.recorder
    const recorded = recorder && { onWritten: recorder.written.bind(recorder) }
    const shared = {
      gate,
      appliedFields: this.#appliedFields,
      ...(namespace !== undefined && { namespace }),
      ...guard,
      ...recorded,
      ...this.#observed,
    }
    return [...transports].map(([name, transport]) => new ClusterRuntime({ name, transport, ...shared }))
  }

  #program(opened: OpenedClusters, clusters: readonly ClusterRuntime[]): Program {
    return {
      units: this.#units(clusters),
      beforeLeading: async () => {},
      lead: () => operatorLeadership(this.#options, opened, this.#observed),
      afterWinning: async () => {},
      checkPermissions: async () => {},
      close: async () => {
        await this.#webhooks?.close()
        await Promise.all([...opened.transports.values()].map((transport) => transport.close()))
        await this.#options.probes?.close()
      },
    }
  }

  #units(clusters: readonly ClusterRuntime[]): Unit[] {
    const { stopping: stop, aborting: abort, ran, controllers } = this.#manager
    const recorder = this.#inspector?.recorder
    const units = [...this.#definitions.values()].map((definition) =>
      recordedUnit(
        (record) =>
          definition.unitFor({
            program: this.#options.name,
            clusters,
            appliedFields: this.#appliedFields,
            ...this.#observed,
            stop,
            abort,
            assignment: () => this.#manager.leadership?.assignment,
            rejections: () => controllers.rejections,
            onRunEnd: (end) => {
              record(end)
              ran(end)
              this.#options.onRunEnd?.(definition.name, end)
            },
          }),
        { recorder, stop },
      ),
    )
    return this.#webhooks ? [this.#webhooks.unit, ...units] : units
  }
}
