import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ProgressView } from '../../sdk/inspector/model.js'
import type { PluginDescription } from '../../sdk/plugin/description.js'
import { sleep, systemClock } from '../../sdk/time/clock.js'
import { withOwnSignal } from '../../sdk/time/own-signal.js'
import type { ClusterSource, DevClusters } from '../clusters/clusters.js'
import { describeFaults } from '../clusters/faults.js'
import type { CopyChange } from '../copies/copy-log.js'
import { type InspectorAddress, writeInspectorAddress } from '../inspector/inspector-address.js'
import type { FoundPlugin } from '../program/find-plugin.js'
import { pluginEnvironment } from '../program/plugin-environment.js'
import { readPluginLine } from '../program/plugin-log.js'
import {
  type PluginProcess,
  runsFromSources,
  type SpawnedPlugin,
  spawnPlugin,
} from '../program/plugin-process.js'
import { CopiedSamples } from './copied-samples.js'
import type { DevOptions } from './dev-options.js'
import { sortSamples } from './expected-samples.js'
import type { PluginRunner, PluginRunnerOptions } from './modes/plugin-runner.js'
import { notMirrored, onceLimitMs } from './not-mirrored.js'
import { PluginKeeper } from './plugin-keeper.js'
import { type DevReport, namesOf } from './report.js'
import { watchSources } from './watch-sources.js'

/** Options of {@link DevSession}. */
export interface DevSessionOptions {
  options: DevOptions
  plugin: FoundPlugin
  /** Opens or starts the clusters. */
  openClusters: ClusterSource
  /** Creates the runner for the plugin's mode. */
  createRunner: (parts: PluginRunnerOptions) => PluginRunner
  inspector: InspectorAddress
  report: DevReport
}

const clock = systemClock
/** Time that a plugin with its own log format gets from its registration to its work, in milliseconds. */
const settleMs = 1000
/** Time limit for copies of the samples before the hints are shown, without `once`, in milliseconds. */
const hintsLimitMs = 3000

/** One run of `dev`, from the start of the plugin's process to its end. */
export class DevSession {
  readonly #options: DevOptions
  readonly #plugin: FoundPlugin
  readonly #openClusters: ClusterSource
  readonly #runner: PluginRunner
  readonly #inspector: InspectorAddress
  readonly #report: DevReport
  readonly #keeper: PluginKeeper
  readonly #copied = new CopiedSamples(clock)
  readonly #stopped = new AbortController()
  readonly #up: Promise<void>
  #resolveUp = () => {}
  #firstCopyMs: number | undefined
  /** The program's description, read once per version of the sources. */
  #description: Promise<PluginDescription | undefined> | undefined
  #clusters: DevClusters | undefined

  constructor({ options, plugin, openClusters, createRunner, inspector, report }: DevSessionOptions) {
    this.#options = options
    this.#plugin = plugin
    this.#openClusters = openClusters
    this.#inspector = inspector
    this.#report = report
    this.#up = new Promise((resolve) => {
      this.#resolveUp = resolve
    })
    this.#runner = createRunner({
      plugin,
      vclusterName: options.vclusterName,
      env: process.env,
      launch: (env) => this.#launch(env),
      onLine: (line) => this.#pluginPrinted(line),
      onMessage: (text) => report.vclusterMessage(text),
      onUp: () => void this.#settle(),
      restartPlugin: () => this.#keeper.restart(),
    })
    this.#keeper = new PluginKeeper({
      folder: plugin.folder,
      spawn: () => this.#start(),
      onStart: (pid) => report.pluginStarted(plugin, pid),
      onCrash: (reason, delayMs) => report.pluginCrashed(reason, delayMs),
      clock,
    })
  }

  /** Resolves when the session ends by itself: with `once`, when the samples are copied. */
  async run(): Promise<void> {
    // Takes as long as the start of the clusters, and is needed right after it.
    if (!this.#options.real) void this.#describe()
    const opened = this.#open()
    // The plugin's process may start while the clusters start.
    const kept = this.#runner.startsBeforeClusters
      ? this.#keeper.run()
      : opened.then(() => this.#keeper.run())
    const shown = this.#show(opened)
    await Promise.race([kept, this.#options.once ? shown : shown.then(() => kept)])
  }

  /** Stops the plugin and its watchers. */
  async stop(): Promise<void> {
    this.#stopped.abort()
    await this.#keeper.stop()
  }

  /** The address of the plugin's inspector; undefined if the user's environment sets it. */
  get inspectorUrl(): string | undefined {
    return this.#inspector.url
  }

  /** Restarts the plugin. */
  restart(): Promise<void> {
    this.#report.restarting()
    return this.#keeper.restart()
  }

  /** Kills the plugin. */
  kill(): void {
    this.#keeper.kill()
  }

  /** Opens the clusters, and shows them before anything is written. */
  async #open(): Promise<DevClusters> {
    const clusters = await this.#openClusters(() => this.#describe())
    this.#unlessStopped(() =>
      this.#report.clusters({ ...clusters, faults: describeFaults(this.#options.faults) }),
    )
    const made = await clusters.prepare()
    if (made !== undefined) this.#report.message(made)
    this.#clusters = clusters
    await this.#grant()
    const vcluster = await this.#runner.open(clusters)
    process.on('SIGUSR2', () => void this.#restartVCluster())
    await writeInspectorAddress(this.#options.dir, this.#inspector)
    this.#unlessStopped(() => {
      this.#report.vclusterMessage(vcluster)
      this.#report.inspector(this.#inspector.url)
    })
    return clusters
  }

  #unlessStopped(report: () => void): void {
    if (!this.#stopped.signal.aborted) report()
  }

  async #show(opened: Promise<DevClusters>): Promise<void> {
    const [clusters] = await Promise.all([opened, this.#restartOnChange()])
    if (this.#stopped.signal.aborted) return
    await this.#watch(clusters)
    await this.#untilUp()
    this.#keeper.cameUp()
    await this.#mirrorSamples(clusters)
    if (!this.#options.once) await this.#hint(clusters)
  }

  /** Shows commands to try. A program without a description gets general ones. */
  async #hint(clusters: DevClusters): Promise<void> {
    const { hintsAbout } = await import('./hints.js')
    const about = hintsAbout(await this.#describe())
    this.#unlessStopped(() => this.#report.hints(clusters, about))
  }

  #describe(): Promise<PluginDescription | undefined> {
    this.#description ??= this.#askProgram()
    return this.#description
  }

  async #askProgram(): Promise<PluginDescription | undefined> {
    const { describeProgram } = await import('../program/describe-program.js')
    // A broken program also fails when it runs, and that error is reported.
    return describeProgram(this.#plugin).catch(() => undefined)
  }

  async #grant(): Promise<void> {
    const { grant } = this.#clusters ?? {}
    await grant?.(await this.#describe())
  }

  /** Restarts the plugin after a change of its sources, which may need other permissions. */
  async #restartChanged(): Promise<void> {
    this.#description = undefined
    await this.#grant()
    await this.#keeper.restart()
  }

  async #restartVCluster(): Promise<void> {
    const { restartVCluster } = this.#runner
    if (restartVCluster) this.#report.vclusterMessage(await restartVCluster())
    else this.#report.message('there is no vcluster process to restart: the plugin runs standalone')
  }

  async #settle(): Promise<void> {
    await sleep(clock, settleMs)
    this.#resolveUp()
  }

  async #watch(clusters: DevClusters): Promise<void> {
    const { watchCopies } = await import('../copies/watch-copies.js')
    const { watchedSides } = await import('./watched-sides.js')
    const sides = await watchedSides(clusters, () => this.#describe())
    watchCopies({ ...sides, clock }).subscribe((change) => this.#copyChanged(change))
  }

  #copyChanged(change: CopyChange): void {
    if (this.#stopped.signal.aborted) return
    this.#firstCopyMs ??= performance.now()
    this.#resolveUp()
    this.#report.copyChanged(change)
    this.#copied.note(change)
  }

  async #untilUp(): Promise<void> {
    if (!this.#options.once) return this.#up
    const tooLate = sleep(clock, onceLimitMs).then(() => {
      throw notMirrored('the plugin did not register')
    })
    await Promise.race([this.#up, tooLate])
  }

  async #mirrorSamples(clusters: DevClusters): Promise<void> {
    const { applyAllSamples } = await import('./all-samples.js')
    const { message: onSkipped } = this.#report
    const { path } = this.#plugin
    const applied = await applyAllSamples(clusters, { path, seed: this.#options.seed, onSkipped })
    const { expected: samples, others } = sortSamples(applied, await this.#describe())
    if (others.length > 0)
      this.#report.message(`no copy expected of ${namesOf(others)}: the plugin has no syncer for the kind`)
    const missing = await this.#copied.missing(samples, this.#options.once ? onceLimitMs : hintsLimitMs)
    const mirrored = samples.length - missing.length
    // The summary is the last line, so later copies are not reported.
    if (this.#options.once) this.#stopped.abort()
    if (samples.length > 0)
      this.#report.summary({ mirrored, total: samples.length, firstMs: this.#firstCopyMs })
    if (!this.#options.once || missing.length === 0) return
    throw notMirrored(`no copy of ${namesOf(missing)}`)
  }

  async #restartOnChange(): Promise<void> {
    if (!this.#options.watch) return
    const sdk = ['sdk', 'testing', 'simulator', 'apiserver'].map((folder) =>
      fileURLToPath(new URL(`../../${folder}`, import.meta.url)),
    )
    await watchSources({
      roots: runsFromSources ? [this.#plugin.path, ...sdk] : [this.#plugin.path],
      signal: this.#stopped.signal,
      onChange: (file) => {
        this.#report.sourceChanged(relative('.', file))
        void this.#restartChanged()
      },
    })
  }

  #start(): PluginProcess {
    const plugin = this.#runner.start()
    void withOwnSignal(this.#stopped.signal, async (ended) => {
      void plugin.exited.then(() => ended.abort())
      await this.#followStart(ended.signal)
    })
    void plugin.exited.then(({ failure }) => this.#report.pluginFailed(failure))
    return plugin
  }

  async #followStart(signal: AbortSignal): Promise<void> {
    const { url } = this.#inspector
    if (url === undefined) return
    const { followStart } = await import('./follow-start.js')
    const { readOverview } = await import('../inspector/ask-inspector.js')
    const onProgress = (progress?: ProgressView) => this.#report.progress(progress)
    const everyMs = this.#report.progressEveryMs
    await followStart({ read: () => readOverview(url), onProgress, everyMs, clock, signal })
  }

  #launch(env: Readonly<Record<string, string>>): SpawnedPlugin {
    return spawnPlugin({
      entry: this.#plugin.entry,
      env: { ...pluginEnvironment(process.env), ...this.#inspector.env, ...env },
      onLine: (line) => this.#pluginPrinted(line),
      inspect: this.#options.inspect,
    })
  }

  #pluginPrinted(text: string): void {
    const line = readPluginLine(text)
    if (!line) return
    if (line.running) this.#resolveUp()
    this.#report.pluginLine(line)
  }
}
