import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { systemClock as clock } from '../../../sdk/engine/time/clock.js'
import { RemoteCaller } from '../../../testing/cnpg/remote-caller.js'
import { type PluginLine, readPluginLine } from '../../program/plugin-log.js'
import { type PluginProcess, spawnPlugin } from '../../program/plugin-process.js'
import { createSupervisor } from '../create-supervisor.js'
import type { DevInspector } from '../inspector/dev-inspector.js'
import type { PluginSupervisor } from '../plugin-supervisor.js'
import type { DevProgram, DevProgramOptions } from '../programs/dev-program.js'
import { sdkSources } from '../sdk-sources.js'
import { notReadyError, onceLimitMs } from '../wait-limits.js'
import { watchSources } from '../watch-sources.js'
import { checkOutcomes } from './check-outcomes.js'
import { isYaml, readClusters } from './sample-clusters.js'
import { type ClusterOutcome, SimulatedClusters } from './simulated-clusters.js'

/** Options of {@link CnpgSession}. */
export interface CnpgSessionOptions extends DevProgramOptions {
  inspector: DevInspector
}

/**
 * One run of `dev` for a CNPG plugin: a simulated operator, whose Clusters stay, and the plugin's process at a socket.
 */
export class CnpgSession implements DevProgram {
  readonly #options: CnpgSessionOptions
  readonly #pluginName: string
  readonly #supervisor: PluginSupervisor
  readonly #clusters: SimulatedClusters
  readonly #stopped = new AbortController()
  /** Resolves when the plugin serves for the first time. */
  readonly #up: Promise<void>
  #resolveUp = () => {}
  #isUp = false
  /** The last work with the operator; each work begins after the one before has ended. */
  #lastWork: Promise<unknown> = Promise.resolve()
  /** The folder of the plugin's socket. */
  #socketFolder = ''
  #cancelRequeue = () => {}

  constructor(sessionOptions: CnpgSessionOptions, pluginName: string) {
    const { report } = sessionOptions
    this.#options = sessionOptions
    this.#pluginName = pluginName
    this.#clusters = new SimulatedClusters({ report, clock })
    this.#up = new Promise((resolve) => {
      this.#resolveUp = resolve
    })
    this.#supervisor = createSupervisor(sessionOptions, () => this.#spawn())
  }

  get inspectorUrl(): string | undefined {
    return this.#options.inspector.url
  }

  async run(): Promise<void> {
    const { options, report, inspector } = this.#options
    report.inspector(inspector.url)
    this.#socketFolder = await mkdtemp(join(tmpdir(), 'cnpg-'))
    await this.#watch()
    const supervised = this.#supervisor.run()
    const handled = this.#applyAndReport()
    await Promise.race([supervised, options.once ? handled : handled.then(() => supervised)])
  }

  restart(): Promise<void> {
    this.#options.report.restarting()
    return this.#supervisor.restart()
  }

  async stop(): Promise<void> {
    this.#stopped.abort()
    this.#cancelRequeue()
    await this.#supervisor.stop()
    await this.#options.inspector.close()
    this.#clusters.close()
    if (this.#socketFolder) await rm(this.#socketFolder, { recursive: true, force: true })
  }

  kill(): void {
    this.#supervisor.kill()
  }

  /** Applies the samples when the plugin is up, and with `once` waits until they are healthy. */
  async #applyAndReport(): Promise<void> {
    const { options, report } = this.#options
    await this.#up
    this.#supervisor.cameUp()
    const outcomes = await this.#inTurn(() => this.#applySamples())
    if (!options.once) return report.message('reloads the plugin and the Clusters when their files change')
    await this.#untilHandled(outcomes)
    report.handled(outcomes.length)
  }

  /** With `once`: Clusters may wait for a plugin that asked for time, and none may be refused or fail. */
  async #untilHandled(first: readonly ClusterOutcome[]): Promise<void> {
    const untilMs = clock.now() + onceLimitMs()
    let outcomes = first
    for (;;) {
      checkOutcomes(outcomes, this.#options.report.lastErrors.withoutKey)
      const waiting = outcomes.find(({ state }) => state === 'waiting')
      if (!waiting) return
      const waitMs = (waiting.againSeconds ?? Number.POSITIVE_INFINITY) * 1000
      if (clock.now() + waitMs > untilMs) throw notReadyError(`${waiting.name} is not healthy`)
      await new Promise<void>((resolve) => void clock.schedule(waitMs, resolve))
      outcomes = await this.#inTurn(() => this.#clusters.reconcile())
    }
  }

  /** Applies the Clusters of the samples one after the other; called at the start and after a change of their files. */
  async #applySamples(): Promise<readonly ClusterOutcome[]> {
    const { plugin, options } = this.#options
    const { path: folder } = plugin
    const outcomes: ClusterOutcome[] = []
    for (const cluster of await readClusters({
      folder,
      samples: options.samples,
      pluginName: this.#pluginName,
    }))
      outcomes.push(await this.#clusters.apply(cluster))
    this.#requeue(outcomes)
    return outcomes
  }

  /**
   * Schedules the next reconciliation of all Clusters at the earliest time that the operator or the plugin asked for.
   */
  #requeue(outcomes: readonly ClusterOutcome[]): void {
    this.#cancelRequeue()
    const seconds = outcomes.flatMap(({ againSeconds }) => againSeconds ?? [])
    if (seconds.length === 0 || this.#options.options.once) return
    this.#cancelRequeue = clock.schedule(Math.min(...seconds) * 1000, () => this.#reconcile())
  }

  /** Reconciles all Clusters after the work before. */
  #reconcile(): void {
    void this.#inTurn(async () => this.#requeue(await this.#clusters.reconcile()))
  }

  /** Begins work with the operator after the work before has ended. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#lastWork.then(work)
    this.#lastWork = next.catch(() => {})
    return next
  }

  /** Restarts the plugin when sources change, and applies the samples again when YAML files change. */
  async #watch(): Promise<void> {
    const { options, plugin, report } = this.#options
    if (!options.watch) return
    const { signal } = this.#stopped
    const restart = (file: string) => {
      report.sourceChanged(relative('.', file))
      void this.#supervisor.restart()
    }
    const apply = (file: string) => {
      report.message(`${relative('.', file)} changed`)
      this.#inTurn(() => this.#applySamples()).catch((error: unknown) => report.message(String(error)))
    }
    const sampleRoots = options.samples === undefined ? [] : [options.samples, dirname(options.samples)]
    const { unwatched: onUnwatched } = report
    await watchSources({ roots: [plugin.path, ...sdkSources()], signal, onUnwatched, onChange: restart })
    await watchSources({
      roots: [plugin.path, ...sampleRoots],
      signal,
      onUnwatched,
      onChange: apply,
      isWatchedFile: isYaml,
    })
  }

  /** Starts the plugin's process; called by the supervisor. */
  #spawn(): PluginProcess {
    const { plugin, options, report, inspector } = this.#options
    const { METRICS_ADDRESS = '127.0.0.1:0' } = process.env
    // A socket has no certificates; empty variables count as missing.
    const noTls = { SERVER_ADDRESS: '', SERVER_CERT: '', SERVER_KEY: '', CLIENT_CA: '', CLIENT_CERT: '' }
    const child = spawnPlugin({
      entry: plugin.entry,
      env: {
        METRICS_ADDRESS,
        ...inspector.env,
        ...noTls,
        WEBHOOK_ADDRESS: '',
        PLUGIN_PATH: this.#socketFolder,
      },
      onLine: (text) => {
        const line = readPluginLine(text)
        if (!line) return
        report.pluginLine(line)
        if (line.running) this.#handleServing(line)
      },
      inspect: options.inspect,
      heartbeats: report.heartbeats,
    })
    inspector.follow(child)
    void child.exited.then(({ failure }) => report.pluginFailed(failure))
    return child
  }

  /**
   * Called when the plugin says where it listens. The first time the samples are applied; later the operator loads the
   * plugin again.
   */
  #handleServing({ entry }: PluginLine): void {
    const socket = String(entry?.fields.address)
    void this.#inTurn(async () => this.#clusters.connect(new RemoteCaller({ socket })))
    if (this.#isUp) this.#reconcile()
    this.#isUp = true
    this.#resolveUp()
  }
}
