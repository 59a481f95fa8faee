import type { ApiServer } from '../../apiserver/api-server.js'
import type { Client } from '../../sdk/engine/client/client.js'
import { createClient } from '../../sdk/engine/client/create-client.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { Resource } from '../../sdk/engine/kube/resource.js'
import type { Logger } from '../../sdk/engine/observe/logger.js'
import { type ControllerDefinition, RegistrableController } from '../../sdk/operator/engine/controller.js'
import { createInternalOperator } from '../../sdk/operator/operator-runtime.js'
import { VirtualClock } from '../clock/virtual-clock.js'
import { type ObjectTexts, stateDifferences } from '../compare/state-differences.js'
import { embeddedOperatorClusters } from '../environment/embedded-run.js'
import type { OperatorRun, TestCluster } from '../environment/test-environment.js'
import { FaultSchedule } from '../faults/fault-schedule.js'
import type { InjectedFault } from '../faults/injected-fault.js'
import type { SimulatedProcess } from '../faults/simulated-process.js'
import { serveDefinitions } from '../operator/serve-definitions.js'
import { setAllWorkloadsReady, setWorkloadReady } from '../operator/set-ready.js'
import { stopAndRethrow } from '../plugin/stop-and-rethrow.js'
import { RequestRecorder } from '../recorder/request-recorder.js'
import { type DisturbableWrites, DisturbanceObserver } from './disturbable-writes.js'
import { ExternalResources, recordedEffect } from './external-resources.js'
import type { HarnessOptions, OpenedRun } from './harness-options.js'
import type { OperatorClusters, OperatorScenario } from './operator-scenario.js'
import { recreatePrimaries } from './recreate.js'
import { registeringOperator } from './registering-operator.js'
import { Replicas } from './replicas.js'
import { RevertedChanges } from './reverted-changes.js'
import { RunLog } from './run-log.js'
import type { OperatorVerification, ScenarioHarness } from './scenario-harness.js'
import { stateWithoutGenerations } from './state-without-generations.js'

/** The maximum number of simulations in a row that change objects. */
const maxSimulations = 20

/** One run's clusters and the operator on them, in virtual time. */
export class OperatorHarness implements OperatorClusters, ScenarioHarness {
  readonly recorder: RequestRecorder
  readonly replicas: Replicas
  readonly log = new RunLog('the operator')
  readonly #scenario: OperatorScenario
  readonly #run: OperatorRun
  readonly #clients = new Map<string, Client>()
  readonly #externalResources = new ExternalResources()
  readonly #primaries = new Map<string, Resource>()
  readonly #logger: Logger
  /** A leader change needs an election; other runs are quicker without one. */
  readonly #hasElection: boolean
  /** The changes that a fault `flip` reverts. */
  readonly #reverted: RevertedChanges
  readonly #hasFlip: boolean
  /** Set if the run looks for the writes at which a user can disturb the operator. */
  readonly #observer: DisturbanceObserver | undefined
  /** The state before the present step, if the run has a `flip`. */
  #former: ObjectTexts = new Map()

  private constructor(
    scenario: OperatorScenario,
    { run, clock, faults = [], observesUsers = false }: OpenedRun,
  ) {
    this.#scenario = scenario
    this.#run = run
    this.#hasElection = faults.some(({ type }) => type === 'handover')
    this.#hasFlip = faults.some(({ type }) => type === 'flip')
    const primaries = () => [...this.#primaries.values()]
    this.#reverted = new RevertedChanges(() => this.client, primaries)
    if (observesUsers)
      this.#observer = new DisturbanceObserver({ clusters: this, reverted: this.#reverted, primaries })
    this.recorder = this.#createRecorder(clock, faults)
    this.#logger = this.log.loggerFor(this.recorder.faults)
    for (const name of Object.keys(run.byName))
      this.#clients.set(name, createClient({ transport: this.recorder.userTransport(name) }))
    this.replicas = new Replicas({
      clock,
      recorder: this.recorder,
      run,
      clusters: Object.values(run.byName),
      name: 'the operator',
      start: (process) => this.#start(process),
      count: this.#hasElection ? 2 : 1,
    })
  }

  #createRecorder(clock: VirtualClock, faults: readonly InjectedFault[]): RequestRecorder {
    return new RequestRecorder({
      clusters: this.#run.byName,
      clock,
      faults: new FaultSchedule(faults),
      hasElection: this.#hasElection,
      user: {
        observe: async (n) => this.#observer?.observe(n),
        recreate: () => recreatePrimaries(this, [...this.#primaries.values()]),
        undo: () => this.#reverted.undo(),
        redo: () => this.#reverted.redo(),
      },
    })
  }

  /** Opens the clusters and creates the objects that exist before the operator starts. */
  static async open(scenario: OperatorScenario, options: HarnessOptions = {}): Promise<OperatorHarness> {
    const clock = new VirtualClock()
    const { environment = embeddedOperatorClusters, clusters = ['main'] } = scenario
    const run = await environment.open(clusters, clock)
    const harness = new OperatorHarness(scenario, { ...options, run, clock })
    await harness.#prepare().catch(stopAndRethrow(() => harness.close()))
    return harness
  }

  async #prepare(): Promise<void> {
    const { definitions = [] } = this.#scenario
    for (const cluster of Object.values(this.#run.byName))
      await serveDefinitions(createClient({ transport: cluster.connect() }), definitions)
    await this.#scenario.before?.(this)
  }

  /** The writes at which a user can disturb the operator, if the run looked for them. */
  get disturbable(): DisturbableWrites | undefined {
    return this.#observer?.writes
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
    const { server } = this.#clusterOf(cluster)
    if (server) return server
    throw new TypeError(
      `the cluster ${cluster} exists outside of the test: only embedded clusters have a server`,
    )
  }

  setReady: OperatorClusters['setReady'] = (object) => setWorkloadReady(this.client, object)

  setAllReady: OperatorClusters['setAllReady'] = () => setAllWorkloadsReady(this.client)

  async perform(step: string): Promise<unknown> {
    if (this.#hasFlip || this.#observer) await this.#reverted.record()
    if (this.#hasFlip) this.#former = await stateWithoutGenerations(this.recorder)
    return this.#scenario.steps[step]?.(this) ?? Promise.resolve()
  }

  async settle(): Promise<void> {
    await this.#settleOnce()
    if (!this.#reverted.isPending) return
    const problems = stateDifferences(await stateWithoutGenerations(this.recorder), this.#former)
    if (problems.length > 0)
      throw new Error(
        `after the change was taken back, the state is not that before it: ${problems.join('; ')}`,
      )
    await this.#reverted.redo()
    await this.#settleOnce()
  }

  async #settleOnce(): Promise<void> {
    await this.replicas.settle()
    const { simulate } = this.#scenario
    if (!simulate) return
    for (let times = 0; times < maxSimulations; times++) {
      const before = this.#progress()
      await simulate(this)
      if (this.#progress() === before) return
      await this.replicas.settle()
    }
    throw new Error(`simulate changed objects ${maxSimulations} times in a row: write only what differs`)
  }

  /**
   * Differs after a simulation that changed objects. Others may change an existing cluster, so there the writes of
   * users count.
   */
  #progress(): string {
    const clusters = Object.values(this.#run.byName)
    const isEmbedded = clusters.every(({ server }) => server !== undefined)
    return isEmbedded ? clusters.map(({ revision }) => revision).join() : String(this.recorder.changes)
  }

  compact(cluster: string): void {
    this.#clusterOf(cluster.split('/')[0] ?? '').compact()
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

  #clusterOf(name: string): TestCluster {
    const cluster = this.#run.byName[name]
    if (cluster) return cluster
    throw new TypeError(`there is no cluster ${name}; there are ${[...this.#clients.keys()].join(', ')}`)
  }

  async #start(process: SimulatedProcess) {
    const transports = Object.keys(this.#run.byName).map(
      (cluster) => [cluster, this.recorder.programTransport(cluster, process)] as const,
    )
    const { namespace, register, nextRelease = register } = this.#scenario
    const release = this.recorder.faults.isUpgraded ? nextRelease : register
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
    await release(registeringOperator(program, (definition) => this.#recorded(definition, process)))
    return { program, ended: program.start() }
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
    return new RegistrableController(resource, { ...options, effects: Object.fromEntries(effects) })
  }
}
