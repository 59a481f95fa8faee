/**
 * Both clusters of a scenario and the plugin between them, one life after the other, in virtual time.
 *
 * It promises that `rest` answers only when nothing is under way and no retry is due soon, whatever died meanwhile. It
 * leaves to `wire.ts` what goes wrong, and to `judge.ts` what is right.
 */
import type { ApiServer } from '../../apiserver/api-server.js'
import { createClient } from '../../sdk/client/create-client.js'
import type { Side } from '../../sdk/context/register-context.js'
import { loadYaml } from '../../sdk/kube/load-yaml.js'
import { type Logger, silentLogger } from '../../sdk/observe/logger.js'
import { createPlugin, type Plugin } from '../../sdk/plugin/plugin.js'
import { prepareHost } from '../../simulator/prepare-host.js'
import { testSession } from '../../simulator/test-session.js'
import { VirtualClock } from '../clock/virtual-clock.js'
import { embeddedGround } from '../environment/embedded-clusters.js'
import type { Site } from '../environment/test-environment.js'
import type { Disturbance } from '../faults/injected-fault.js'
import { Life } from '../faults/simulated-process.js'
import { warningLogger } from '../plugin/warning-logger.js'
import { Wire } from '../recorder/recorder.js'
import type { Clusters, Scenario } from './scenario.js'

/** How much virtual time the plugin may take to come to rest, in milliseconds. */
const restLimitMs = 600_000

/** How many calls the plugin may make while no time passes. */
const callsWithoutTime = 2000
/** How long the plugin is waited for while it cannot see what is, in milliseconds of virtual time. */
const heldBackMs = 120_000
/** How often in a row the plugin may end by itself before it runs. */
const exitsInARow = 5
/** How many silences in a row without a timer mean that the plugin hangs. */
const silencesOfHanging = 20
/** How many of the plugin's complaints are remembered. */
const complaintsTold = 20

interface StageParts {
  scenario: Scenario
  clock: VirtualClock
  site: Site
  wire: Wire
}

/** A running scenario. */
export class Stage implements Clusters {
  readonly vclusterName: string
  readonly targetNamespace: string
  readonly site: Site
  readonly wire: Wire
  readonly virtual
  readonly host
  /** The plugin's warnings and errors as lines, of a run that nothing disturbs. */
  readonly complaints: string[] = []
  readonly #logger: Logger
  readonly #clock: VirtualClock
  readonly #scenario: Scenario
  #life: Life
  #plugin: Plugin | undefined
  /** How often the plugin has ended by itself since it last ran. */
  #exits = 0
  #failure: unknown

  private constructor({ scenario, clock, site, wire }: StageParts) {
    this.#scenario = scenario
    this.#clock = clock
    this.#life = new Life(clock)
    this.site = site
    this.wire = wire
    // What goes wrong on purpose makes a plugin complain.
    this.#logger = wire.isDisturbed ? silentLogger : warningLogger((line) => this.#complain(line))
    this.vclusterName = scenario.vclusterName ?? 'vc'
    this.targetNamespace = scenario.targetNamespace ?? `vcluster-${this.vclusterName}`
    this.virtual = createClient({ transport: wire.ofUsers('virtual') })
    this.host = createClient({ transport: wire.ofUsers('host') })
  }

  /** Makes both clusters with what is there before the plugin. */
  static async build(scenario: Scenario, disturbances: readonly Disturbance[]): Promise<Stage> {
    const clock = new VirtualClock()
    // A plugin may need it, and loading it takes real time.
    await loadYaml()
    const site = await (scenario.ground ?? embeddedGround).open(clock)
    const wire = new Wire({ clusters: site.clusters, disturbances })
    const stage = new Stage({ scenario, clock, site, wire })
    const { vclusterName, targetNamespace } = stage
    await prepareHost(stage.host, { vclusterName, targetNamespace, hasService: true })
    await scenario.before?.(stage)
    return stage
  }

  get virtualServer(): ApiServer {
    return this.#server('virtual')
  }

  get hostServer(): ApiServer {
    return this.#server('host')
  }

  /** Starts the plugin anew; one that lives is killed first. */
  start(): void {
    this.#life.end()
    const life = new Life(this.#clock)
    this.#life = life
    this.#plugin = undefined
    this.#run(life).catch((error: unknown) => this.#exited(life, error))
  }

  /** Kills the plugin; {@link rest} starts it again. */
  kill(): void {
    this.#life.end()
  }

  /** Resolves when nothing is under way and no retry is due soon; a plugin that dies meanwhile is started anew. */
  async rest(): Promise<void> {
    const startMs = this.#clock.now()
    while (this.#clock.now() < startMs + restLimitMs) {
      await this.#quiet()
      if (this.#failure !== undefined) throw this.#failure
      if (this.#life.isOver) this.start()
      else if (this.#plugin?.isIdle()) return
      // While its view is kept old a plugin may rightly try again and again.
      else if (this.wire.isHeldBack && this.#clock.now() > startMs + heldBackMs) return
      else await this.#nextTimer()
    }
    throw new Error(`the plugin did not come to rest within ${restLimitMs / 60_000} minutes of virtual time`)
  }

  /** Lets virtual time pass. */
  async pass(ms: number): Promise<void> {
    await this.#clock.advance(ms)
    await this.#quiet()
  }

  async close(): Promise<void> {
    this.#life.end()
    await this.site.close()
  }

  #server(side: Side): ApiServer {
    const { server } = this.site.clusters[side]
    if (server) return server
    throw new Error(`the ${side} cluster of this scenario is not embedded, so its API server is out of reach`)
  }

  async #run(life: Life): Promise<void> {
    const session = testSession({
      vclusterName: this.vclusterName,
      targetNamespace: this.targetNamespace,
      labelMode: this.#scenario.labelMode ?? 'reserved',
      virtual: this.wire.ofPlugin('virtual', life),
      host: this.wire.ofPlugin('host', life),
    })
    const openSession = async () => session
    // A process that was killed lets go of nothing, and a rejection nobody waited for is to be seen.
    const plugin = createPlugin({
      env: {},
      logger: this.#logger,
      clock: life.clock,
      openSession,
      containsRejections: false,
    })
    await this.#scenario.register(plugin, await plugin.init())
    const ended = plugin.start()
    await Promise.race([plugin.whenRunning(), ended])
    if (!life.isOver) this.#plugin = plugin
    this.#exits = 0
    await ended
  }

  #complain(line: string): void {
    if (this.complaints.length < complaintsTold) this.complaints.push(line)
  }

  /** A plugin that ends by itself is started again, as a container is; one that never comes up is a failure. */
  #exited(life: Life, error: unknown): void {
    if (life.isOver) return
    life.end()
    this.#exits++
    if (this.#exits > exitsInARow) this.#failure = error
  }

  /** Advances to the next timer. Without one it waits several times before it reports a hang, as a real API server may be slow. */
  async #nextTimer(): Promise<void> {
    for (let silences = 1; this.#clock.dueInMs === Number.POSITIVE_INFINITY; silences++) {
      if (silences > silencesOfHanging)
        throw new Error('the plugin hangs: it is not idle, and no timer would wake it')
      await this.#quiet()
      if (this.#life.isOver || this.#plugin?.isIdle()) return
    }
    await this.#clock.advance(this.#clock.dueInMs)
  }

  async #quiet(): Promise<void> {
    const mostCalls = this.wire.calls + callsWithoutTime
    let seen = ''
    const { clusters, quietMoments } = this.site
    for (let moments = 0; moments < quietMoments; moments++) {
      if (this.wire.calls > mostCalls)
        throw new Error(`the plugin makes call after call: ${callsWithoutTime} of them while no time passed`)
      await this.site.moment()
      const { calls, underWay } = this.wire
      const now = [clusters.virtual.pulse, clusters.host.pulse, calls, underWay].join()
      if (now !== seen) moments = 0
      seen = now
    }
  }
}
