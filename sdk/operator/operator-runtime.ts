/**
 * The entry point of programs without a vcluster: `register` takes controllers, `start` opens the clusters and hands
 * both to the manager, which waits for leadership and runs them until the operator is stopped.
 */
import type { Client } from '../engine/client/client.js'
import type { ClusterRuntime } from '../engine/cluster/cluster-runtime.js'
import type { ProbedProgram } from '../engine/health/probes.js'
import type { Inspector } from '../engine/inspector/inspector.js'
import { checkDnsLabel } from '../engine/kube/dns-label.js'
import { PluginError } from '../engine/kube/error.js'
import type { KubeObject } from '../engine/kube/object.js'
import { awaitProcessEnd } from '../engine/manager/await-process-end.js'
import { describes } from '../engine/manager/describes.js'
import type { ManagedProgram } from '../engine/manager/managed-program.js'
import { ProgramManager } from '../engine/manager/program-manager.js'
import type { Unit } from '../engine/manager/unit.js'
import { createLogger } from '../engine/observe/create-logger.js'
import type { Logger } from '../engine/observe/logger.js'
import { type Metrics, noMetrics } from '../engine/observe/metrics.js'
import { type Clock, systemClock } from '../engine/time/clock.js'
import { AppliedFields } from '../engine/watch/applied-fields.js'
import { checkShards } from './check-shards.js'
import { clusterNamed } from './controller/environment.js'
import type { OperatorDescription } from './describe/operator-description.js'
import type { ControllerDefinition, ControllerDefinitions } from './engine/controller.js'
import type { InternalOperator } from './operator.js'
import { operatorClusters } from './operator-clusters.js'
import { operatorInspector } from './operator-inspector.js'
import { operatorLeadership, ownNamespace } from './operator-leadership.js'
import type { InternalOperatorOptions, OpenedClusters } from './operator-options.js'
import { operatorUnits } from './operator-units.js'
import { RegisteredControllers } from './registered-controllers.js'
import { Webhooks } from './webhook/webhooks.js'
import { webhooksByEnvironment } from './webhook/webhooks-by-environment.js'

/** Makes an operator, with options that only programs around it set; see `createOperator`. */
export function createInternalOperator(options: InternalOperatorOptions): InternalOperator {
  return new OperatorRuntime(options)
}

class OperatorRuntime implements InternalOperator {
  readonly #options: InternalOperatorOptions
  readonly #observed: { logger: Logger; metrics: Metrics; clock: Clock }
  readonly #probed: ProbedProgram
  readonly #env: Readonly<Record<string, string | undefined>>
  readonly #manager: ProgramManager
  readonly #appliedFields = new AppliedFields()
  readonly #controllers: RegisteredControllers
  readonly #webhooks: Webhooks | undefined
  #inspector: Inspector | undefined
  #wired: readonly ClusterRuntime[] | undefined
  #started: Promise<void> | undefined
  #ended: Promise<void> | undefined

  constructor(originalOptions: InternalOperatorOptions) {
    const { name, env = process.env, clock = systemClock, webhooks } = originalOptions
    checkDnsLabel('the name of the operator', name)
    checkShards(originalOptions)
    this.#controllers = new RegisteredControllers(originalOptions.shards)
    this.#env = env
    const options = webhooks
      ? { ...originalOptions, webhooks: webhooksByEnvironment(webhooks, env) }
      : originalOptions
    this.#options = options
    const metrics = options.metrics ?? options.probes?.metrics ?? noMetrics
    this.#observed = { logger: options.logger ?? createLogger(env), metrics, clock }
    this.#probed = { name, ...this.#observed }
    this.#webhooks = options.webhooks && new Webhooks(options.webhooks, { name, ...this.#observed })
    this.#manager = new ProgramManager({
      noun: 'operator',
      ...this.#observed,
      memory: options.memory,
      stopDeadlineMs: options.stopDeadlineMs ?? 10_000,
      containsRejections: options.containsRejections ?? true,
    })
  }

  register<T extends readonly KubeObject[]>(...definitions: ControllerDefinitions<T>): void {
    for (const definition of definitions) this.#register(definition)
  }

  #register<T extends KubeObject>(definition: ControllerDefinition<T>): void {
    if (this.#ended)
      throw new PluginError(
        'ALREADY_STARTED',
        `register controller ${definition.name} before operator.start()`,
      )
    this.#controllers.add(definition)
  }

  start(): Promise<void> {
    if (this.#ended) throw new PluginError('ALREADY_STARTED', 'operator.start() was called twice')
    if (describes(this.#env)) return this.#printDescription()
    const begun = this.#begin()
    this.#started = begun.then(() => this.#manager.started)
    this.#started.catch(() => {}) // `ended` rejects, too.
    const ended = begun.then(({ ended }) => ended)
    this.#ended = this.#options.stopsOnSignals ? awaitProcessEnd(ended, () => void this.stop()) : ended
    return this.#ended
  }

  async whenRunning(): Promise<void> {
    if (!this.#started) throw new PluginError('NOT_STARTED', 'operator.start() was not called yet')
    await this.#started
  }

  client(cluster?: string): Client {
    if (this.#wired) return clusterNamed(cluster, { clusters: this.#wired, user: 'operator.client' }).client
    throw new PluginError(
      'NOT_STARTED',
      'operator.client: the clusters are not open yet; await operator.whenRunning()',
    )
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
    const controllers = this.#controllers.values
    for (const controller of controllers) await controller.findPermissions()
    return describeOperator(this.#options, controllers)
  }

  /** Opens the clusters and starts the manager. `ended` is in an object, because awaiting a promise unwraps it. */
  async #begin(): Promise<{ ended: Promise<void> }> {
    await this.#serve()
    await this.#webhooks?.listen()
    const opened = await this.#open()
    const [first] = opened.transports.values()
    if (first) await this.#options.probes?.admitReaders(first, this.#probed)
    const clusters = this.#clusters(opened)
    this.#wired = clusters
    this.#manager.attach(clusters)
    const program = this.#program(opened, clusters)
    this.#attachWebhooks(clusters, ownNamespace(this.#options, opened))
    // A webhook that is called before the caches are filled then knows which caches to wait for.
    for (const unit of program.units) unit.requestStores?.()
    const isWarm = (await this.#webhooks?.isListable()) ?? true
    const becomesWarm = (signal: AbortSignal) => this.#webhooks?.whenListable(signal) ?? Promise.resolve()
    const standby = { isWarm, becomesWarm, isShared: (this.#options.shards ?? 1) > 1 }
    return { ended: this.#manager.start({ ...program, standby }) }
  }

  /** Prints what was registered, instead of running it; for commands that print roles and manifests. */
  async #printDescription(): Promise<void> {
    process.stdout.write(`${JSON.stringify(await this.describe())}\n`)
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
      manager: this.#manager,
      options: this.#options,
      served: probes?.metrics,
      env: this.#env,
    })
    await probes?.serve({ live, ready, pages: this.#inspector }, this.#probed)
  }

  #attachWebhooks([cluster]: readonly ClusterRuntime[], namespace: string): void {
    if (!cluster) return
    const ready = () => this.#manager.readyChecks()
    this.#webhooks?.attach({ cluster, namespace, ready, signal: this.#manager.aborting })
  }

  async #open(): Promise<OpenedClusters> {
    const { openClusters: open, name, clusters } = this.#options
    if (open) return open()
    const { openClusters } = await import('./open-clusters.js')
    return openClusters({ name, clusters, env: this.#env, ...this.#observed })
  }

  #clusters(opened: OpenedClusters): ClusterRuntime[] {
    return operatorClusters(opened, {
      options: this.#options,
      deadline: this.#manager.deadline,
      appliedFields: this.#appliedFields,
      recorder: this.#inspector?.recorder,
      ...this.#observed,
    })
  }

  #program(opened: OpenedClusters, clusters: readonly ClusterRuntime[]): ManagedProgram {
    return {
      units: this.#units(clusters, ownNamespace(this.#options, opened)),
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

  #units(clusters: readonly ClusterRuntime[], namespace: string): Unit[] {
    const [first] = clusters
    const { name } = this.#options
    if (!first)
      throw new PluginError('UNKNOWN_CLUSTER', `the operator ${name} has no cluster: name one in clusters`)
    const units = operatorUnits(this.#controllers.values, {
      program: name,
      own: { cluster: first, namespace, name },
      clusters,
      appliedFields: this.#appliedFields,
      manager: this.#manager,
      recorder: this.#inspector?.recorder,
      onRunEnd: this.#options.onRunEnd,
      ...this.#observed,
    })
    return this.#webhooks ? [this.#webhooks.unit, ...units] : units
  }
}
