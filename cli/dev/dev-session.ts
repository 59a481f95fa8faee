import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ProgressView } from '../../sdk/inspector/model.js'
import type { PluginDescription } from '../../sdk/plugin/description.js'
import { sleep, systemClock } from '../../sdk/time/clock.js'
import { withOwnSignal } from '../../sdk/time/own-signal.js'
import type { ClusterSource, DevClusters } from '../clusters/clusters.js'
import { describeFaults } from '../clusters/faults.js'
import type { CopyChange } from '../copies/copy-log.js'
import { type InspectorPlace, writeInspectorPlace } from '../inspector/inspector-address.js'
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
import type { PluginPlace, PluginPlaceParts } from './modes/plugin-runner.js'
import { notMirrored, onceLimitMs } from './not-mirrored.js'
import { PluginKeeper } from './plugin-keeper.js'
import { type DevReport, namesOf } from './report.js'
import { watchSources } from './watch-sources.js'

/** What a {@link DevSession} is made of. */
export interface DevSessionParts {
  options: DevOptions
  plugin: FoundPlugin
  /** Where the clusters come from. */
  openClusters: ClusterSource
  /** How the plugin is run. */
  placeOf: (parts: PluginPlaceParts) => PluginPlace
  inspector: InspectorPlace
  report: DevReport
}

const clock = systemClock
/** How long a plugin that logs in its own way may take from what its place sees of it to its work. */
const settleMs = 1000
/** How long the samples are waited for before the hints are shown, where not with `once`. */
const hintsLimitMs = 3000

/** One run of `dev`, from the start of the plugin's process to its end. */
export class DevSession {
  readonly #options: DevOptions
  readonly #plugin: FoundPlugin
  readonly #openClusters: ClusterSource
  readonly #place: PluginPlace
  readonly #inspector: InspectorPlace
  readonly #report: DevReport
  readonly #keeper: PluginKeeper
  readonly #copied = new CopiedSamples(clock)
  readonly #stopped = new AbortController()
  readonly #cameUp: Promise<void>
  #tellCameUp = () => {}
  #firstCopyMs: number | undefined
  /** Asked once for each version of the sources. */
  #description: Promise<PluginDescription | undefined> | undefined
  #clusters: DevClusters | undefined

  constructor({ options, plugin, openClusters, placeOf, inspector, report }: DevSessionParts) {
    this.#options = options
    this.#plugin = plugin
    this.#openClusters = openClusters
    this.#inspector = inspector
    this.#report = report
    this.#cameUp = new Promise((resolve) => {
      this.#tellCameUp = resolve
    })
    this.#place = placeOf({
      plugin,
      vclusterName: options.vclusterName,
      env: process.env,
      launch: (env) => this.#launch(env),
      onLine: (line) => this.#pluginSaid(line),
      onPlaceLine: (text) => report.placeSaid(text),
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

  /** Resolves when the session has nothing more to do by itself, which with `once` is when the samples are mirrored. */
  async run(): Promise<void> {
    // It takes as long as the clusters take to come up, and is needed right after that.
    if (!this.#options.real) void this.#describe()
    const opened = this.#open()
    // The clusters come up while the plugin's process does, where that may be.
    const kept = this.#place.isPatient ? this.#keeper.run() : opened.then(() => this.#keeper.run())
    const shown = this.#show(opened)
    await Promise.race([kept, this.#options.once ? shown : shown.then(() => kept)])
  }

  /** Ends the plugin and what watches it. */
  async stop(): Promise<void> {
    this.#stopped.abort()
    await this.#keeper.stop()
  }

  /** The address of the plugin's inspector; undefined where it has none. */
  get inspectorUrl(): string | undefined {
    return this.#inspector.url
  }

  /** Starts the plugin again. */
  restart(): Promise<void> {
    this.#report.restarting()
    return this.#keeper.restart()
  }

  /** Ends the plugin without letting it end its work. */
  kill(): void {
    this.#keeper.kill()
  }

  /** Nothing is written to a cluster before its user has read which it is. */
  async #open(): Promise<DevClusters> {
    const clusters = await this.#openClusters(() => this.#describe())
    this.#unlessStopped(() =>
      this.#report.clusters({ ...clusters, faults: describeFaults(this.#options.faults) }),
    )
    const made = await clusters.prepare()
    if (made !== undefined) this.#report.said(made)
    this.#clusters = clusters
    await this.#grant()
    const vcluster = await this.#place.open(clusters)
    process.on('SIGUSR2', () => void this.#restartVCluster())
    await writeInspectorPlace(this.#options.dir, this.#inspector)
    this.#unlessStopped(() => {
      this.#report.placeSaid(vcluster)
      this.#report.inspector(this.#inspector.url)
    })
    return clusters
  }

  #unlessStopped(say: () => void): void {
    if (!this.#stopped.signal.aborted) say()
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

  /** Asks the program itself what it is about; one that does not say is not worth an error here. */
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
    // What is wrong with the program is told by the program that runs.
    return describeProgram(this.#plugin).catch(() => undefined)
  }

  async #grant(): Promise<void> {
    const { grant } = this.#clusters ?? {}
    await grant?.(await this.#describe())
  }

  /** The new sources may need other rights. */
  async #restartChanged(): Promise<void> {
    this.#description = undefined
    await this.#grant()
    await this.#keeper.restart()
  }

  async #restartVCluster(): Promise<void> {
    const { restartVCluster } = this.#place
    if (restartVCluster) this.#report.placeSaid(await restartVCluster())
    else this.#report.said('there is no vcluster process to restart: the plugin runs standalone')
  }

  async #settle(): Promise<void> {
    await sleep(clock, settleMs)
    this.#tellCameUp()
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
    this.#tellCameUp()
    this.#report.copyChanged(change)
    this.#copied.note(change)
  }

  async #untilUp(): Promise<void> {
    if (!this.#options.once) return this.#cameUp
    const tooLate = sleep(clock, onceLimitMs).then(() => {
      throw notMirrored('the plugin did not register')
    })
    await Promise.race([this.#cameUp, tooLate])
  }

  async #mirrorSamples(clusters: DevClusters): Promise<void> {
    const { applyAllSamples } = await import('./all-samples.js')
    const { said: onSkipped } = this.#report
    const { path } = this.#plugin
    const applied = await applyAllSamples(clusters, { path, seed: this.#options.seed, onSkipped })
    const { expected: samples, others } = sortSamples(applied, await this.#describe())
    if (others.length > 0)
      this.#report.said(`no copy expected of ${namesOf(others)}: the plugin has no syncer for the kind`)
    const missing = await this.#copied.missing(samples, this.#options.once ? onceLimitMs : hintsLimitMs)
    const mirrored = samples.length - missing.length
    // The summary is the last line: a copy that stands a moment later is not told of any more.
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
    const plugin = this.#place.start()
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
      onLine: (line) => this.#pluginSaid(line),
      inspect: this.#options.inspect,
    })
  }

  #pluginSaid(text: string): void {
    const line = readPluginLine(text)
    if (!line) return
    if (line.running) this.#tellCameUp()
    this.#report.pluginLine(line)
  }
}
