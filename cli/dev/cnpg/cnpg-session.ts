import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { PluginError } from '../../../sdk/engine/kube/error.js'
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
  readonly #keeper: PluginSupervisor
  readonly #clusters: SimulatedClusters
  readonly #stopped = new AbortController()
  readonly #up: Promise<void>
  #resolveUp = () => {}
  #isUp = false
  /** The last work with the operator; each work begins after the one before has ended. */
  #last: Promise<unknown> = Promise.resolve()
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
    this.#keeper = createSupervisor(sessionOptions, () => this.#spawn())
  }

  get inspectorUrl(): string | undefined {
    return this.#options.inspector.url
  }

  async run(): Promise<void> {
    const { options, report, inspector } = this.#options
    report.inspector(inspector.url)
    this.#socketFolder = await mkdtemp(join(tmpdir(), 'cnpg-'))
    await this.#watch()
    const supervised = this.#keeper.run()
    const handled = this.#applyAndReport()
    await Promise.race([supervised, options.once ? handled : handled.then(() => supervised)])
  }

  restart(): Promise<void> {
    this.#options.report.restarting()
    return this.#keeper.restart()
  }

  async stop(): Promise<void> {
    this.#stopped.abort()
    this.#cancelRequeue()
    await this.#keeper.stop()
    await this.#options.inspector.close()
    this.#clusters.close()
    if (this.#socketFolder) await rm(this.#socketFolder, { recursive: true, force: true })
  }

  kill(): void {
    this.#keeper.kill()
  }

  async #applyAndReport(): Promise<void> {
    const { options, report } = this.#options
    await this.#up
    this.#keeper.cameUp()
    const outcomes = await this.#inTurn(() => this.#applySamples())
    if (!options.once) return report.message('reloads the plugin and the Clusters when their files change')
    await this.#untilHandled(outcomes)
    report.handled(outcomes.length)
  }

  /** With `once`: Clusters may wait for a plugin that asked for time, and none may fail. */
  async #untilHandled(first: readonly ClusterOutcome[]): Promise<void> {
    const untilMs = clock.now() + onceLimitMs
    let outcomes = first
    for (;;) {
      const failed = outcomes.find(({ state }) => state === 'failed')
      if (failed) throw new PluginError('NOT_READY', `${failed.name} is not healthy: ${failed.text}`)
      const waiting = outcomes.find(({ state }) => state === 'waiting')
      if (!waiting) return
      const waitMs = (waiting.againSeconds ?? Number.POSITIVE_INFINITY) * 1000
      if (clock.now() + waitMs > untilMs) throw notReadyError(`${waiting.name} is not healthy`)
      await new Promise<void>((resolve) => void clock.schedule(waitMs, resolve))
      outcomes = await this.#inTurn(() => this.#clusters.reconcile())
    }
  }

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

  #reconcile(): void {
    void this.#inTurn(async () => this.#requeue(await this.#clusters.reconcile()))
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#last.then(work)
    this.#last = next.catch(() => {})
    return next
  }

  async #watch(): Promise<void> {
    const { options, plugin, report } = this.#options
    if (!options.watch) return
    const { signal } = this.#stopped
    const restart = (file: string) => {
      report.sourceChanged(relative('.', file))
      void this.#keeper.restart()
    }
    const apply = (file: string) => {
      report.message(`${relative('.', file)} changed`)
      this.#inTurn(() => this.#applySamples()).catch((error: unknown) => report.message(String(error)))
    }
    const sampleRoots = options.samples === undefined ? [] : [options.samples, dirname(options.samples)]
    await watchSources({ roots: [plugin.path, ...sdkSources()], signal, onChange: restart })
    await watchSources({
      roots: [plugin.path, ...sampleRoots],
      signal,
      onChange: apply,
      isWatchedFile: isYaml,
    })
  }

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
