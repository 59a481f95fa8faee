import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PluginError } from '../../kube/error.js'
import { sleep, systemClock } from '../../observe/clock.js'
import type { PluginDescription } from '../../plugin/description.js'
import { freePorts } from '../../testing/free-ports.js'
import type { VClusterProcess } from '../../testing/vcluster-process.js'
import type { DevCluster } from './clusters.js'
import { CopiedSamples } from './copied-samples.js'
import type { DevFacts } from './dev-facts.js'
import type { DevOptions } from './dev-options.js'
import type { FoundPlugin } from './find-plugin.js'
import { type InspectorPlace, placeInspector, writeInspectorPlace } from './inspector-place.js'
import { PluginKeeper } from './keep-running.js'
import { writeKubeconfigs } from './kubeconfigs.js'
import type { CopyChange } from './mirror-log.js'
import { readPluginLine } from './plugin-log.js'
import { type PluginProcess, runsFromSources, spawnPlugin } from './plugin-process.js'
import { type DevReport, namesOf } from './report.js'
import type { ReservedPort } from './reserve-port.js'
import { watchSources } from './watch-sources.js'

/** What a {@link DevSession} is made of. */
export interface DevSessionParts {
  options: DevOptions
  plugin: FoundPlugin
  /** Where the stand-in vcluster process will listen. */
  vclusterPort: ReservedPort
  report: DevReport
}

interface Clusters {
  virtual: DevCluster
  host: DevCluster
  facts: DevFacts
}

const clock = systemClock
/** How long a plugin that logs in its own way may take from its registration to its work. */
const settleMs = 1000
/** How long the samples are waited for: with `once`, and before the hints are shown. */
const onceLimitMs = 30_000
const hintsLimitMs = 3000

/** One run of `dev`, from the start of the plugin's process to its end. */
export class DevSession {
  readonly #options: DevOptions
  readonly #plugin: FoundPlugin
  readonly #vclusterPort: ReservedPort
  readonly #report: DevReport
  readonly #targetNamespace: string
  readonly #keeper: PluginKeeper
  readonly #copied = new CopiedSamples(clock)
  readonly #stopped = new AbortController()
  readonly #cameUp: Promise<void>
  #tellCameUp = () => {}
  #hookPort = 0
  #inspector: InspectorPlace = { url: undefined, env: {} }
  #firstCopyMs: number | undefined

  constructor({ options, plugin, vclusterPort, report }: DevSessionParts) {
    this.#options = options
    this.#plugin = plugin
    this.#vclusterPort = vclusterPort
    this.#report = report
    this.#targetNamespace = `vcluster-${options.vclusterName}`
    this.#cameUp = new Promise((resolve) => {
      this.#tellCameUp = resolve
    })
    this.#keeper = new PluginKeeper({
      folder: plugin.folder,
      spawn: () => this.#spawn(),
      onStart: (pid) => report.pluginStarted(plugin, pid),
      onCrash: (reason, delayMs) => report.pluginCrashed(reason, delayMs),
      clock,
    })
  }

  /** Resolves when the session has nothing more to do by itself, which with `once` is when the samples are mirrored. */
  async run(): Promise<void> {
    const [hookPort = 0, inspectorPort = 0] = await freePorts(2)
    this.#hookPort = hookPort
    if (!this.#options.once) this.#inspector = placeInspector(process.env, inspectorPort)
    const kept = this.#keeper.run()
    // The clusters come up while the plugin's process does.
    const shown = this.#show()
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

  async #show(): Promise<void> {
    const [{ virtual, host, facts }] = await Promise.all([this.#startClusters(), this.#restartOnChange()])
    if (this.#stopped.signal.aborted) return
    this.#report.clusters(facts)
    await this.#watch(virtual, host)
    await this.#untilUp()
    this.#keeper.cameUp()
    await this.#mirrorSamples(virtual, host)
    if (!this.#options.once) await this.#hint(facts)
  }

  /** Asks the program itself what it is about; one that does not say is not worth an error here. */
  async #hint(facts: DevFacts): Promise<void> {
    const { hintsAbout } = await import('./hints.js')
    const description = await this.#describe().catch(() => ({ syncers: [], hostReads: [] }))
    if (!this.#stopped.signal.aborted) this.#report.hints(facts, hintsAbout(description))
  }

  async #describe(): Promise<Pick<PluginDescription, 'syncers' | 'hooks' | 'hostReads'>> {
    const { describeProgram } = await import('../manifest/describe-program.js')
    return describeProgram(this.#plugin)
  }

  async #startClusters(): Promise<Clusters> {
    const { virtualPort, hostPort, vclusterName, dir } = this.#options
    const { installVCluster, startCluster } = await import('./clusters.js')
    const [virtual, host] = await Promise.all([
      startCluster({ name: 'virtual', port: virtualPort }),
      startCluster({ name: 'host', port: hostPort }),
    ])
    await installVCluster(host, vclusterName, this.#targetNamespace)
    const vcluster = await this.#startVCluster(virtual, host)
    const files = await writeKubeconfigs(dir, { virtual: virtual.kubeconfig, host: host.kubeconfig })
    await writeInspectorPlace(dir, this.#inspector)
    const facts = {
      virtual: { url: virtual.url, kubeconfig: files.virtual },
      host: { url: host.url, kubeconfig: files.host },
      vclusterAddress: vcluster.address,
      inspectorUrl: this.#inspector.url,
      targetNamespace: this.#targetNamespace,
    }
    return { virtual, host, facts }
  }

  async #startVCluster(virtual: DevCluster, host: DevCluster): Promise<VClusterProcess> {
    const { startVClusterProcess } = await import('../../testing/vcluster-process.js')
    await this.#vclusterPort.release()
    const vcluster = await startVClusterProcess({
      virtualKubeconfig: virtual.kubeconfig,
      hostKubeconfig: host.kubeconfig,
      name: this.#options.vclusterName,
      waitsFor: [this.#plugin.name],
      listenAddress: `127.0.0.1:${this.#vclusterPort.port}`,
    })
    process.on('SIGUSR2', () => void this.#restartVCluster(vcluster))
    void this.#settle(vcluster)
    return vcluster
  }

  async #restartVCluster(vcluster: VClusterProcess): Promise<void> {
    await vcluster.restart()
    this.#report.vclusterRestarted()
  }

  async #settle(vcluster: VClusterProcess): Promise<void> {
    await vcluster.registered(this.#plugin.name)
    await sleep(clock, settleMs)
    this.#tellCameUp()
  }

  async #watch(virtual: DevCluster, host: DevCluster): Promise<void> {
    const { watchCopies } = await import('./watch-copies.js')
    watchCopies({ virtual: virtual.transport, host: host.transport, clock }).subscribe((change) =>
      this.#copyChanged(change),
    )
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

  async #mirrorSamples(virtual: DevCluster, host: DevCluster): Promise<void> {
    const { applySamples, readHostSamples, readSamples } = await import('./samples.js')
    const namespace = this.#targetNamespace
    const ofHost = await applySamples(await readHostSamples(this.#plugin.path), {
      ...host,
      side: 'host',
      namespace,
    })
    const ofUsers = await applySamples(await readSamples(this.#plugin.path, this.#options.seed), {
      ...virtual,
      side: 'virtual',
    })
    // Those of the host may be there for others to refer to; where users have none, they are what is mirrored.
    const samples = ofUsers.length > 0 ? ofUsers : ofHost
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
    const sdk = fileURLToPath(new URL('../..', import.meta.url))
    await watchSources({
      roots: runsFromSources ? [this.#plugin.path, sdk] : [this.#plugin.path],
      signal: this.#stopped.signal,
      onChange: (file) => {
        this.#report.sourceChanged(relative('.', file))
        void this.#keeper.restart()
      },
    })
  }

  #spawn(): PluginProcess {
    const plugin = spawnPlugin({
      entry: this.#plugin.entry,
      env: this.#environment(),
      onLine: (line) => this.#pluginSaid(line),
      inspect: this.#options.inspect,
    })
    void plugin.exited.then(({ failure }) => this.#report.pluginFailed(failure))
    return plugin
  }

  #pluginSaid(text: string): void {
    const line = readPluginLine(text)
    if (line.running) this.#tellCameUp()
    this.#report.pluginLine(line)
  }

  /** The sidecar's, as vcluster's chart sets it. */
  #environment(): NodeJS.ProcessEnv {
    const { VCLUSTER_PLUGIN: _inSyncer, LOG_LEVEL: asked = '', ...inherited } = process.env
    return {
      ...inherited,
      ...this.#inspector.env,
      VCLUSTER_PLUGIN_NAME: this.#plugin.name,
      VCLUSTER_PLUGIN_ADDRESS: `localhost:${this.#hookPort}`,
      VCLUSTER_LISTEN_ADDRESS: `127.0.0.1:${this.#vclusterPort.port}`,
      // What is shown is chosen here, and the line that the plugin runs is needed.
      LOG_LEVEL: ['trace', 'debug'].includes(asked) ? asked : 'info',
    }
  }
}

const notMirrored = (problem: string) =>
  new PluginError(
    'NOT_MIRRORED',
    `${problem} within ${onceLimitMs / 1000} s; see what the plugin says with --verbose`,
  )
