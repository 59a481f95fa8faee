import type { ApiServer } from '../../apiserver/api-server.js'
import type { Client } from '../../sdk/client/client.js'
import { createClient } from '../../sdk/client/create-client.js'
import { deployments } from '../../sdk/kube/builtin.js'
import type { KubeObject } from '../../sdk/kube/object.js'
import type { Resource } from '../../sdk/kube/resource.js'
import type { Logger } from '../../sdk/observe/logger.js'
import { type ControllerDefinition, controller } from '../../sdk/operator/engine/controller.js'
import { createInternalOperator, type Operator } from '../../sdk/operator/operator.js'
import { VirtualClock } from '../clock/virtual-clock.js'
import { type EmbeddedRun, openEmbeddedRun } from '../environment/embedded-run.js'
import { FaultSchedule } from '../faults/fault-schedule.js'
import type { InjectedFault } from '../faults/injected-fault.js'
import type { SimulatedProcess } from '../faults/simulated-process.js'
import { setDeploymentReady } from '../operator/set-ready.js'
import { serveDefinitions } from '../operator/test-operator.js'
import { Recorder } from '../recorder/recorder.js'
import { ExternalResources, recordedEffect } from './external-resources.js'
import type { OperatorClusters, OperatorScenario } from './operator-scenario.js'
import { recreatePrimaries } from './recreate.js'
import { Replicas } from './replicas.js'
import { RunLog } from './run-log.js'
import type { OperatorVerification, ScenarioHarness } from './scenario-harness.js'

/** How often the simulated controllers of a cluster may change something after each other. */
const maxSimulations = 20

/** One run's clusters and the operator on them, in virtual time. */
export class OperatorHarness implements OperatorClusters, ScenarioHarness {
  readonly recorder: Recorder
  readonly replicas: Replicas
  readonly log = new RunLog('the operator')
  readonly #scenario: OperatorScenario
  readonly #run: EmbeddedRun
  readonly #clients = new Map<string, Client>()
  readonly #externalResources = new ExternalResources()
  readonly #primaries = new Map<string, Resource>()
  readonly #logger: Logger
  /** A leader change needs an election; other runs are quicker without one. */
  readonly #hasElection: boolean

  private constructor(
    scenario: OperatorScenario,
    { run, clock, faults }: { run: EmbeddedRun; clock: VirtualClock; faults: readonly InjectedFault[] },
  ) {
    this.#scenario = scenario
    this.#run = run
    this.#hasElection = faults.some(({ type }) => type === 'handover')
    const recorder = new Recorder({
      clusters: run.byName,
      faults: new FaultSchedule(faults),
      hasElection: this.#hasElection,
      recreate: () => recreatePrimaries(this, [...this.#primaries.values()]),
    })
    this.recorder = recorder
    this.#logger = this.log.loggerFor(recorder.faults)
    for (const name of Object.keys(run.byName))
      this.#clients.set(name, createClient({ transport: recorder.userTransport(name) }))
    this.replicas = new Replicas({
      clock,
      recorder,
      run,
      clusters: Object.values(run.byName),
      name: 'the operator',
      start: (process) => this.#start(process),
      count: this.#hasElection ? 2 : 1,
    })
  }

  /** Opens the clusters and creates the objects that exist before the operator starts. */
  static async open(
    scenario: OperatorScenario,
    faults: readonly InjectedFault[] = [],
  ): Promise<OperatorHarness> {
    const clock = new VirtualClock()
    const run = await openEmbeddedRun(scenario.clusters ?? ['main'], clock)
    const harness = new OperatorHarness(scenario, { run, clock, faults })
    for (const { server } of Object.values(run.byName)) {
      const client = createClient({ transport: harness.#direct(server) })
      await serveDefinitions(client, scenario.definitions ?? [])
    }
    await scenario.before?.(harness)
    return harness
  }

  get client(): Client {
    return this.clientOf(this.#first)
  }

  get server(): ApiServer {
    return this.serverOf(this.#first)
  }

  clientOf(cluster: string): Client {
    const client = this.#clients.get(cluster)
    if (client) return client
    throw new TypeError(`there is no cluster ${cluster}; there are ${[...this.#clients.keys()].join(', ')}`)
  }

  serverOf(cluster: string): ApiServer {
    const server = this.#run.byName[cluster]?.server
    if (server) return server
    throw new TypeError(`there is no cluster ${cluster}; there are ${[...this.#clients.keys()].join(', ')}`)
  }

  setReady: OperatorClusters['setReady'] = (deployment) => setDeploymentReady(this.client, deployment)

  setAllReady: OperatorClusters['setAllReady'] = async () => {
    const { items } = await this.client.listAll(deployments)
    for (const deployment of items) await this.setReady(deployment)
  }

  perform(step: string): Promise<unknown> {
    return this.#scenario.steps[step]?.(this) ?? Promise.resolve()
  }

  async settle(): Promise<void> {
    await this.replicas.settle()
    const { simulate } = this.#scenario
    if (!simulate) return
    for (let times = 0; times < maxSimulations; times++) {
      const before = this.#revisions()
      await simulate(this)
      if (this.#revisions() === before) return
      await this.replicas.settle()
    }
    throw new Error(`simulate changed objects ${maxSimulations} times in a row: write only what differs`)
  }

  compact(cluster: string): void {
    this.serverOf(cluster.split('/')[0] ?? '').compact()
  }

  async verification(): Promise<OperatorVerification> {
    return {
      program: 'operator',
      primaries: [...this.#primaries.values()],
      externalResources: this.#externalResources,
    }
  }

  async close(): Promise<void> {
    this.replicas.kill()
    await this.#run.close()
  }

  get #first(): string {
    return Object.keys(this.#run.byName)[0] ?? ''
  }

  #direct(server: ApiServer) {
    const cluster = Object.values(this.#run.byName).find((one) => one.server === server)
    if (!cluster) throw new Error('no such cluster')
    return cluster.connect()
  }

  #revisions(): string {
    return Object.values(this.#run.byName)
      .map(({ revision }) => revision)
      .join()
  }

  async #start(process: SimulatedProcess) {
    const transports = Object.keys(this.#run.byName).map(
      (cluster) => [cluster, this.recorder.programTransport(cluster, process)] as const,
    )
    const { namespace } = this.#scenario
    const program = createInternalOperator({
      name: 'test',
      env: {},
      logger: this.#logger,
      clock: process.clock,
      leaderElection: this.#hasElection,
      ...(namespace !== undefined && { namespace }),
      openClusters: async () => ({ transports: new Map(transports) }),
      // A killed process never releases its handlers, and unhandled rejections must fail the test.
      containsRejections: false,
    })
    await this.#scenario.register(this.#recording(program, process))
    return { program, ended: program.start() }
  }

  /** An operator whose controllers have effects that are recorded. */
  #recording(operator: Operator, process: SimulatedProcess): Operator {
    return {
      register: (definition) => operator.register(this.#recorded(definition, process)),
      start: () => operator.start(),
      whenRunning: () => operator.whenRunning(),
      isIdle: () => operator.isIdle(),
      stop: () => operator.stop(),
    }
  }

  #recorded<T extends KubeObject>(
    definition: ControllerDefinition<T>,
    process: SimulatedProcess,
  ): ControllerDefinition<T> {
    const { resource, options } = definition
    this.#primaries.set(`${resource.group}/${resource.plural}`, resource as unknown as Resource)
    if (!options.effects) return definition
    const { recorder } = this
    const externalResources = this.#externalResources
    const effects = Object.entries(options.effects).map(([name, effect]) => [
      name,
      recordedEffect(effect, { name, externalResources, recorder, process }),
    ])
    return controller(resource, { ...options, effects: Object.fromEntries(effects) })
  }
}
