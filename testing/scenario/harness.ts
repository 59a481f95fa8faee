import type { ApiServer } from '../../apiserver/api-server.js'
import { createClient } from '../../sdk/client/create-client.js'
import type { Side } from '../../sdk/context/register-context.js'
import { loadYaml } from '../../sdk/kube/load-yaml.js'
import { type Logger, silentLogger } from '../../sdk/observe/logger.js'
import { createPluginRuntime, type Plugin } from '../../sdk/plugin/plugin.js'
import { sleep, systemClock } from '../../sdk/time/clock.js'
import { prepareHost } from '../../simulator/prepare-host.js'
import { testSession } from '../../simulator/test-session.js'
import { VirtualClock } from '../clock/virtual-clock.js'
import { embeddedClusters } from '../environment/embedded-clusters.js'
import type { ClusterPair } from '../environment/test-environment.js'
import { FaultSchedule } from '../faults/fault-schedule.js'
import type { InjectedFault } from '../faults/injected-fault.js'
import { SimulatedProcess } from '../faults/simulated-process.js'
import { warningLogger } from '../plugin/warning-logger.js'
import { Recorder } from '../recorder/recorder.js'
import type { Scenario, ScenarioClusters } from './scenario.js'
import { untilQuiet } from './until-quiet.js'

/** The maximum virtual time for the plugin to settle, in milliseconds. */
const settleLimitMs = 600_000
/**
 * The time to wait for a plugin to settle while its watch events are withheld, in milliseconds of virtual
 * time.
 */
const withheldMs = 120_000
/** The maximum number of times in a row that the plugin may exit by itself before it runs. */
const maxExits = 5
/**
 * The maximum time that the plugin may wait for something other than a timer or a cluster, in milliseconds of
 * real time.
 */
const hangMs = 5000
/** The interval at which such a plugin is checked, in milliseconds of real time. */
const hangCheckMs = 10
/** The number of log lines of the plugin that are kept for the failure report. */
const maxLogLines = 20

interface HarnessParts {
  scenario: Scenario
  clock: VirtualClock
  clusters: ClusterPair
  recorder: Recorder
}

/**
 * One run's clusters and the plugin between them, in virtual time. It starts and kills the plugin's process, and restarts a
 * process that exits by itself, as a kubelet restarts a container.
 */
export class Harness implements ScenarioClusters {
  readonly vclusterName: string
  readonly targetNamespace: string
  readonly clusters: ClusterPair
  readonly recorder: Recorder
  readonly virtual
  readonly host
  /** The first warnings and errors of the plugin, if no faults are injected. */
  readonly logLines: string[] = []
  readonly #logger: Logger
  readonly #clock: VirtualClock
  readonly #scenario: Scenario
  #process: SimulatedProcess
  #plugin: Plugin | undefined
  /** The number of times the plugin has exited by itself since it last ran. */
  #exits = 0
  #failure: unknown

  private constructor({ scenario, clock, clusters, recorder }: HarnessParts) {
    this.#scenario = scenario
    this.#clock = clock
    this.#process = new SimulatedProcess(clock)
    this.clusters = clusters
    this.recorder = recorder
    // Injected faults cause warnings, which say nothing about the plugin.
    this.#logger = recorder.faults.isEmpty ? warningLogger((line) => this.#log(line)) : silentLogger
    this.vclusterName = scenario.vclusterName ?? 'vc'
    this.targetNamespace = scenario.targetNamespace ?? `vcluster-${this.vclusterName}`
    this.virtual = createClient({ transport: recorder.userTransport('virtual') })
    this.host = createClient({ transport: recorder.userTransport('host') })
  }

  /** Opens both clusters and creates the objects that exist before the plugin starts. */
  static async open(scenario: Scenario, faults: readonly InjectedFault[] = []): Promise<Harness> {
    const clock = new VirtualClock()
    // A plugin may load it, which takes real time.
    await loadYaml()
    const clusters = await (scenario.environment ?? embeddedClusters).open(clock)
    const recorder = new Recorder({ clusters, faults: new FaultSchedule(faults) })
    const harness = new Harness({ scenario, clock, clusters, recorder })
    const { vclusterName, targetNamespace } = harness
    await prepareHost(harness.host, { vclusterName, targetNamespace, hasService: true })
    await scenario.before?.(harness)
    return harness
  }

  get virtualServer(): ApiServer {
    return this.#server('virtual')
  }

  get hostServer(): ApiServer {
    return this.#server('host')
  }

  /** Starts a new process of the plugin. A running one is killed first. */
  start(): void {
    this.#process.kill()
    const process = new SimulatedProcess(this.#clock)
    this.#process = process
    this.#plugin = undefined
    this.#run(process).catch((error: unknown) => this.#exited(process, error))
  }

  /** Kills the plugin's process. {@link settle} starts a new one. */
  kill(): void {
    this.#process.kill()
  }

  /** Resolves when the plugin is idle and no retry is due soon. Starts a new process if there is none. */
  async settle(): Promise<void> {
    const startMs = this.#clock.now()
    while (this.#clock.now() < startMs + settleLimitMs) {
      await this.#quiet()
      if (this.#failure !== undefined) throw this.#failure
      if (this.#process.isKilled) this.start()
      else if (this.#plugin?.isIdle()) return
      // A plugin that acts on old watch events may rightly retry until it receives the new ones.
      else if (this.recorder.withholdsEvents && this.#clock.now() > startMs + withheldMs) return
      else await this.#advanceToNextTimer()
    }
    throw new Error(`the plugin did not settle within ${settleLimitMs / 60_000} minutes of virtual time`)
  }

  /** Advances virtual time. */
  async advance(ms: number): Promise<void> {
    await this.#clock.advance(ms)
    await this.#quiet()
  }

  async close(): Promise<void> {
    this.#process.kill()
    await this.clusters.close()
  }

  #server(side: Side): ApiServer {
    const { server } = this.clusters[side]
    if (server) return server
    throw new Error(`the ${side} cluster of this scenario is not an embedded one and has no ApiServer`)
  }

  async #run(process: SimulatedProcess): Promise<void> {
    const plugin = this.#pluginOf(process)
    await this.#scenario.register(plugin, await plugin.init())
    const ended = plugin.start()
    await Promise.race([plugin.whenRunning(), ended])
    if (!process.isKilled) this.#plugin = plugin
    this.#exits = 0
    await ended
  }

  #pluginOf(process: SimulatedProcess): Plugin {
    const session = testSession({
      vclusterName: this.vclusterName,
      targetNamespace: this.targetNamespace,
      labelMode: this.#scenario.labelMode ?? 'reserved',
      virtual: this.recorder.pluginTransport('virtual', process),
      host: this.recorder.pluginTransport('host', process),
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

  #log(line: string): void {
    if (this.logLines.length < maxLogLines) this.logLines.push(line)
  }

  /** Notes that a process ended by itself. {@link settle} restarts it; a process that never runs is a failure. */
  #exited(process: SimulatedProcess, error: unknown): void {
    if (process.isKilled) return
    process.kill()
    this.#exits++
    if (this.#exits > maxExits) this.#failure = error
  }

  /**
   * Advances to the next timer. A plugin without timers hangs, unless it waits for an operation that Node does not list, for
   * example in `node:crypto` or `node:zlib`. Such an operation ends within `hangMs`.
   */
  async #advanceToNextTimer(): Promise<void> {
    const endMs = systemClock.now() + hangMs
    while (this.#clock.dueInMs === Number.POSITIVE_INFINITY) {
      if (systemClock.now() > endMs)
        throw new Error('the plugin hangs: it is not idle, and no timer is scheduled that could wake it')
      await sleep(systemClock, hangCheckMs)
      await this.#quiet()
      if (this.#process.isKilled || this.#plugin?.isIdle()) return
    }
    await this.#clock.advance(this.#clock.dueInMs)
  }

  #quiet(): Promise<void> {
    return untilQuiet(this.clusters, this.recorder)
  }
}
