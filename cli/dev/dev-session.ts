import { relative } from 'node:path'
import type { ProgressView } from '../../sdk/engine/manager/progress-view.js'
import { systemClock } from '../../sdk/engine/time/clock.js'
import { withOwnSignal } from '../../sdk/engine/time/own-signal.js'
import type { ClusterSource, DevClusters } from '../clusters/clusters.js'
import { describeFaults } from '../clusters/faults.js'
import type { CopyChange } from '../copies/copy-log.js'
import { writeInspectorAddress } from '../inspector/inspector-address.js'
import type { CachedDescription } from '../program/cached-description.js'
import type { FoundPlugin } from '../program/find-plugin.js'
import { readPluginLine } from '../program/plugin-log.js'
import { type PluginProcess, type SpawnedPlugin, spawnPlugin } from '../program/plugin-process.js'
import { createSupervisor } from './create-supervisor.js'
import type { DevOptions } from './dev-options.js'
import type { DevInspector } from './inspector/dev-inspector.js'
import type { PluginRunner, PluginRunnerOptions } from './modes/plugin-runner.js'
import { namedClusters } from './named-clusters.js'
import type { PluginSupervisor } from './plugin-supervisor.js'
import { PluginUp } from './plugin-up.js'
import type { DevProgram } from './programs/dev-program.js'
import type { DevReport } from './report.js'
import { SampleRun } from './sample-run.js'
import { sdkSources } from './sdk-sources.js'
import { watchSources } from './watch-sources.js'

/** Options of {@link DevSession}. */
export interface DevSessionOptions {
  options: DevOptions
  plugin: FoundPlugin
  description: CachedDescription
  /** Opens or starts the clusters. */
  openClusters: ClusterSource
  /** Creates the runner for the plugin's mode. */
  createRunner: (options: PluginRunnerOptions) => PluginRunner
  inspector: DevInspector
  report: DevReport
}

const clock = systemClock

/** One run of `dev`, from the start of the plugin's process to its end. */
export class DevSession implements DevProgram {
  readonly #options: DevOptions
  readonly #plugin: FoundPlugin
  readonly #openClusters: ClusterSource
  readonly #runner: PluginRunner
  readonly #inspector: DevInspector
  readonly #report: DevReport
  readonly #supervisor: PluginSupervisor
  readonly #samples: SampleRun
  readonly #stopped = new AbortController()
  readonly #up = new PluginUp(clock)
  readonly #description: CachedDescription
  #clusters: DevClusters | undefined

  constructor(sessionOptions: DevSessionOptions) {
    const { options, plugin, description, openClusters, createRunner, inspector, report } = sessionOptions
    this.#options = options
    this.#plugin = plugin
    this.#description = description
    this.#samples = new SampleRun({ options, plugin, description, report })
    this.#openClusters = openClusters
    this.#inspector = inspector
    this.#report = report
    this.#runner = createRunner({
      plugin,
      vclusterName: options.vclusterName,
      env: process.env,
      launch: (env) => this.#launch(env),
      onLine: (line) => this.#pluginPrinted(line),
      onMessage: (text) => report.vclusterMessage(text),
      onUp: () => void this.#up.markRegistered(),
      restartPlugin: () => this.#supervisor.restart(),
    })
    this.#supervisor = createSupervisor(sessionOptions, () => this.#start())
  }

  /** Resolves when the session ends by itself: with `once`, when the samples are copied. */
  async run(): Promise<void> {
    // Takes as long as the start of the clusters, and is needed right after it.
    if (!this.#options.real) void this.#description.read()
    const opened = this.#open()
    // The plugin's process may start while embedded clusters start; existing ones may refuse the user.
    const startsAtOnce = this.#runner.startsBeforeClusters && !this.#options.real
    const supervised = startsAtOnce ? this.#supervisor.run() : opened.then(() => this.#supervisor.run())
    const progress = this.#showProgress(opened)
    await Promise.race([supervised, this.#options.once ? progress : progress.then(() => supervised)])
  }

  /** Stops the plugin and its watchers. */
  async stop(): Promise<void> {
    this.#stopped.abort()
    await this.#supervisor.stop()
    await this.#inspector.close()
    await Promise.all([this.#clusters?.virtual.save?.(), this.#clusters?.host.save?.()])
  }

  /** The address of the plugin's inspector; undefined if the user's environment sets it. */
  get inspectorUrl(): string | undefined {
    return this.#inspector.url
  }

  /** Restarts the plugin. */
  restart(): Promise<void> {
    this.#report.restarting()
    return this.#supervisor.restart()
  }

  /** Kills the plugin. */
  kill(): void {
    this.#supervisor.kill()
  }

  /** Opens the clusters, and shows them before anything is written. */
  async #open(): Promise<DevClusters> {
    const clusters = await this.#openClusters(() => this.#description.read())
    this.#unlessStopped(() =>
      this.#report.clusters({ ...clusters, faults: describeFaults(this.#options.faults) }),
    )
    const message = await clusters.prepare()
    if (message !== undefined) this.#report.message(message)
    this.#clusters = clusters
    await this.#grantPermissions()
    const vcluster = await this.#runner.open(clusters)
    process.on('SIGUSR2', () => void this.#restartVCluster())
    this.#inspector.show(namedClusters(clusters))
    await writeInspectorAddress(this.#options.dir, this.#inspector)
    this.#unlessStopped(() => {
      this.#report.vclusterMessage(vcluster)
      this.#report.inspector(this.#inspector.url)
    })
    return clusters
  }

  /** Reports nothing once the session was stopped, so that the summary stays the last line. */
  #unlessStopped(report: () => void): void {
    if (!this.#stopped.signal.aborted) report()
  }

  /** Shows the copies while the samples are applied, then the summary. */
  async #showProgress(opened: Promise<DevClusters>): Promise<void> {
    const [clusters] = await Promise.all([opened, this.#restartOnChange()])
    if (this.#stopped.signal.aborted) return
    await this.#watchCopies(clusters)
    await this.#up.wait(this.#options)
    this.#supervisor.cameUp()
    await this.#samples.mirror(clusters, () => this.#afterSamples())
    if (!this.#options.once) await this.#showHints(clusters)
  }

  /** Shows commands to try. A program without a description gets general ones. */
  async #showHints(clusters: DevClusters): Promise<void> {
    const { hintsAbout } = await import('./hints.js')
    const about = hintsAbout(await this.#description.read())
    this.#unlessStopped(() => this.#report.hints(clusters, about))
  }

  /** Gives the plugin the permissions that its description names. */
  async #grantPermissions(): Promise<void> {
    const { grant } = this.#clusters ?? {}
    await grant?.(await this.#description.read())
  }

  /** Restarts the plugin after a change of its sources, which may need other permissions. */
  async #restartChanged(): Promise<void> {
    this.#description.forget()
    await this.#grantPermissions()
    await this.#supervisor.restart()
  }

  async #restartVCluster(): Promise<void> {
    const { restartVCluster } = this.#runner
    if (restartVCluster) this.#report.vclusterMessage(await restartVCluster())
    else this.#report.message('there is no vcluster process to restart: the plugin runs standalone')
  }

  async #watchCopies(clusters: DevClusters): Promise<void> {
    const { watchCopies } = await import('../copies/watch-copies.js')
    const { watchedSides } = await import('./watched-sides.js')
    const watched = await watchedSides(clusters, () => this.#description.read())
    watchCopies({ ...watched, clock }).subscribe((change) => this.#copyChanged(change))
  }

  #copyChanged(change: CopyChange): void {
    if (this.#stopped.signal.aborted) return
    this.#up.markUp()
    this.#report.copyChanged(change)
    this.#samples.record(change)
  }

  /** With `once` the summary is the last line, so later copies are not reported. */
  #afterSamples(): void {
    if (this.#options.once) this.#stopped.abort()
  }

  async #restartOnChange(): Promise<void> {
    if (!this.#options.watch) return
    await watchSources({
      roots: [this.#plugin.path, ...sdkSources()],
      signal: this.#stopped.signal,
      onUnwatched: this.#report.unwatched,
      onChange: (file) => {
        this.#report.sourceChanged(relative('.', file))
        void this.#restartChanged()
      },
    })
  }

  /** Starts the plugin's process, and follows its start until it ends. */
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
    const plugin = spawnPlugin({
      entry: this.#plugin.entry,
      env: { ...this.#inspector.env, ...env },
      onLine: (line) => this.#pluginPrinted(line),
      inspect: this.#options.inspect,
      heartbeats: this.#report.heartbeats,
    })
    this.#inspector.follow(plugin)
    return plugin
  }

  #pluginPrinted(text: string): void {
    const line = readPluginLine(text)
    if (!line) return
    if (line.running) this.#up.markUp()
    this.#report.pluginLine(line)
  }
}
