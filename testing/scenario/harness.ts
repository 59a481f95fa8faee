import type { ApiServer } from '../../apiserver/api-server.js'
import { createClient } from '../../sdk/engine/client/create-client.js'
import { loadYaml } from '../../sdk/engine/kube/load-yaml.js'
import type { Logger } from '../../sdk/engine/observe/logger.js'
import type { Side } from '../../sdk/vcluster/context/register-context.js'
import type { Plugin } from '../../sdk/vcluster/plugin/plugin.js'
import { createPluginRuntime } from '../../sdk/vcluster/plugin/plugin-runtime.js'
import { prepareHost } from '../../simulator/prepare-host.js'
import { testSession } from '../../simulator/test-session.js'
import { VirtualClock } from '../clock/virtual-clock.js'
import { embeddedClusters } from '../environment/embedded-clusters.js'
import type { ClusterPair } from '../environment/test-environment.js'
import { FaultSchedule } from '../faults/fault-schedule.js'
import type { InjectedFault } from '../faults/injected-fault.js'
import type { SimulatedProcess } from '../faults/simulated-process.js'
import { stopAndRethrow } from '../plugin/stop-and-rethrow.js'
import { RequestRecorder } from '../recorder/request-recorder.js'
import { Replicas } from './replicas.js'
import { RunLog } from './run-log.js'
import type { Scenario, ScenarioClusters } from './scenario.js'
import type { ScenarioHarness, Verification } from './scenario-harness.js'

interface HarnessParts {
  scenario: Scenario
  clock: VirtualClock
  clusters: ClusterPair
  recorder: RequestRecorder<Side>
}

/** The clusters of one run of a scenario, and the plugin between them, in virtual time. */
export class Harness implements ScenarioClusters, ScenarioHarness {
  readonly vclusterName: string
  readonly targetNamespace: string
  readonly clusters: ClusterPair
  readonly recorder: RequestRecorder<Side>
  readonly replicas: Replicas
  readonly virtual
  readonly host
  readonly log = new RunLog('the plugin')
  readonly #logger: Logger
  readonly #scenario: Scenario

  private constructor({ scenario, clock, clusters, recorder }: HarnessParts) {
    this.#scenario = scenario
    this.clusters = clusters
    this.recorder = recorder
    this.#logger = this.log.loggerFor(recorder.faults)
    this.vclusterName = scenario.vclusterName ?? 'vc'
    this.targetNamespace = scenario.targetNamespace ?? `vcluster-${this.vclusterName}`
    this.virtual = createClient({ transport: recorder.userTransport('virtual') })
    this.host = createClient({ transport: recorder.userTransport('host') })
    this.replicas = new Replicas({
      clock,
      recorder: recorder as unknown as RequestRecorder,
      run: clusters,
      clusters: [clusters.virtual, clusters.host],
      name: 'the plugin',
      start: (process) => this.#start(process),
    })
  }

  /** Opens both clusters and creates the objects that exist before the plugin starts. */
  static async open(scenario: Scenario, faults: readonly InjectedFault[] = []): Promise<Harness> {
    const clock = new VirtualClock()
    // Loading the YAML parser takes real time, so it is loaded before virtual time begins.
    await loadYaml()
    const clusters = await (scenario.environment ?? embeddedClusters).open(clock)
    const { virtual, host } = clusters
    const recorder = new RequestRecorder({
      clusters: { virtual, host },
      clock,
      faults: new FaultSchedule(faults),
    })
    const harness = new Harness({ scenario, clock, clusters, recorder })
    await harness.#prepare().catch(stopAndRethrow(() => harness.close()))
    return harness
  }

  async #prepare(): Promise<void> {
    const { vclusterName, targetNamespace } = this
    await prepareHost(this.host, { vclusterName, targetNamespace, hasService: true })
    await this.#scenario.before?.(this)
  }

  get virtualServer(): ApiServer {
    return this.#server('virtual')
  }

  get hostServer(): ApiServer {
    return this.#server('host')
  }

  perform(step: string): Promise<unknown> {
    return this.#scenario.steps[step]?.(this) ?? Promise.resolve()
  }

  settle(): Promise<void> {
    return this.replicas.settle()
  }

  compact(cluster: string): void {
    this.clusters[cluster as Side].compact()
  }

  async verification(): Promise<Verification> {
    const { recorder, vclusterName, targetNamespace } = this
    const hostObjects = await Promise.all(
      [...recorder.collections.host].map((collection) => recorder.list('host', collection)),
    )
    return { program: 'plugin', hostObjects, vclusterName, targetNamespace }
  }

  async close(): Promise<void> {
    this.replicas.kill()
    await this.clusters.close()
  }

  #server(side: Side): ApiServer {
    const { server } = this.clusters[side]
    if (server) return server
    throw new Error(`the ${side} cluster of this scenario is not an embedded one and has no ApiServer`)
  }

  async #start(process: SimulatedProcess) {
    const program = this.#createPlugin(process)
    await this.#scenario.register(program, await program.init())
    return { program, ended: program.start() }
  }

  #createPlugin(process: SimulatedProcess): Plugin {
    const session = testSession({
      vclusterName: this.vclusterName,
      targetNamespace: this.targetNamespace,
      labelMode: this.#scenario.labelMode ?? 'reserved',
      virtual: this.recorder.programTransport('virtual', process),
      host: this.recorder.programTransport('host', process),
    })
    return createPluginRuntime({
      env: {},
      logger: this.#logger,
      clock: process.clock,
      openSession: async () => session,
      // A killed process never releases its handlers, and unhandled rejections must fail the test.
      containsRejections: false,
    })
  }
}
