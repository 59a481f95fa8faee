import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { formatKey } from '../../sdk/engine/kube/key.js'
import type { OperatorDescription } from '../../sdk/operator/describe/operator-description.js'
import { runWorkloads } from '../../testing/operator/run-workloads.js'
import { describeFaults } from '../clusters/faults.js'
import type { OperatorCluster } from '../clusters/operator-cluster.js'
import { type DevOperatorClusters, startOperatorClusters } from '../clusters/operator-clusters.js'
import { writeInspectorAddress } from '../inspector/inspector-address.js'
import { describeAnyProgram } from '../program/describe-program.js'
import { readPluginLine } from '../program/plugin-log.js'
import { type PluginProcess, spawnPlugin } from '../program/plugin-process.js'
import { applyOperatorSamples } from '../samples/operator-samples.js'
import { createSupervisor } from './create-supervisor.js'
import { DevWebhooks } from './dev-webhooks.js'
import type { DevInspector } from './inspector/dev-inspector.js'
import type { ModulePrograms } from './module-programs.js'
import type { PluginSupervisor } from './plugin-supervisor.js'
import { type DevProgram, type DevProgramOptions, programNamespace } from './programs/dev-program.js'
import { sdkSources } from './sdk-sources.js'
import { ShownObjects } from './shown-objects.js'
import { hintsLimitMs, onceLimitMs } from './wait-limits.js'
import { watchSources } from './watch-sources.js'
import { watchedFiles } from './watched-files.js'

/** Options of {@link OperatorSession}. */
export interface OperatorSessionOptions extends DevProgramOptions {
  inspector: DevInspector
}

/**
 * One run of `dev` for an operator: its embedded clusters, which stay, and the operator's process, which is restarted.
 */
export class OperatorSession implements DevProgram {
  readonly #options: DevProgramOptions
  readonly #inspector: DevInspector
  readonly #supervisor: PluginSupervisor
  readonly #stopped = new AbortController()
  /** Resolves when the operator runs for the first time. */
  readonly #up: Promise<void>
  #resolveUp = () => {}
  #description: OperatorDescription
  #clusters: DevOperatorClusters | undefined
  /** Undefined if the operator has no webhooks when `dev` starts. */
  #webhooks: DevWebhooks | undefined
  /** The programs of Modules that the operator loads; undefined if its folder lists none. */
  #programs: ModulePrograms | undefined
  readonly #objects: ShownObjects
  /** The kubeconfigs of the operator. */
  #kubeconfigs: Record<string, string> = {}

  constructor(sessionOptions: OperatorSessionOptions, description: OperatorDescription) {
    const { report, inspector } = sessionOptions
    this.#options = sessionOptions
    this.#inspector = inspector
    this.#description = description
    this.#objects = new ShownObjects(report)
    this.#up = new Promise((resolve) => {
      this.#resolveUp = resolve
    })
    this.#supervisor = createSupervisor(sessionOptions, () => this.#spawn())
  }

  async run(): Promise<void> {
    const { options, report } = this.#options
    await this.#prepareWebhooks()
    const webhookAddress = this.#webhooks?.address
    const clusters = await startOperatorClusters(this.#description.clusters, { ...options, webhookAddress })
    this.#clusters = clusters
    const { first, all } = clusters
    for (const cluster of all)
      report.cluster(cluster, cluster === first ? describeFaults(options.faults) : '')
    this.#inspector.show(all)
    await writeInspectorAddress(options.dir, this.#inspector)
    report.inspector(this.#inspector.url)
    await this.#writeKubeconfigs(clusters)
    await this.#prepare()
    this.#programs = await this.#modulePrograms(first)
    for (const cluster of all)
      runWorkloads({ ...cluster, signal: this.#stopped.signal, onProblem: report.message })
    await this.#watchSources()
    const supervised = this.#supervisor.run()
    const handled = this.#applyAndReport(clusters)
    await Promise.race([supervised, options.once ? handled : handled.then(() => supervised)])
  }

  get inspectorUrl(): string | undefined {
    return this.#inspector.url
  }

  restart(): Promise<void> {
    this.#options.report.restarting()
    return this.#supervisor.restart()
  }

  async stop(): Promise<void> {
    this.#stopped.abort()
    this.#objects.close()
    await this.#supervisor.stop()
    await this.#inspector.close()
    await this.#clusters?.close()
  }

  kill(): void {
    this.#supervisor.kill()
  }

  /** Writes the kubeconfigs of the operator, which are not those of an administrator. */
  async #writeKubeconfigs(clusters: DevOperatorClusters): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), 'vcluster-plugin-dev-'))
    this.#stopped.signal.addEventListener('abort', () => void rm(folder, { recursive: true, force: true }))
    this.#kubeconfigs = await clusters.environment(folder)
  }

  /** Installs the kinds, grants the permissions, and shows the objects of kinds that were not shown before. */
  async #prepare(): Promise<void> {
    if (!this.#clusters) return
    const { first, all } = this.#clusters
    await this.#clusters.prepare(this.#webhooks?.trusted(this.#description) ?? this.#description)
    await this.#webhooks?.publish(first.client, this.#description)
    for (const cluster of all) await this.#objects.show(cluster, this.#description)
    const names = new Set(all.map(({ name }) => name))
    const missingClusters = this.#description.clusters.filter((name) => !names.has(name))
    if (missingClusters.length > 0)
      this.#options.report.message(`start dev again for the new clusters: ${missingClusters.join(', ')}`)
  }

  /** The programs of Modules that the folder lists. */
  async #modulePrograms({ client }: OperatorCluster): Promise<ModulePrograms | undefined> {
    const { options, plugin, report } = this.#options
    const { programs: files } = plugin
    if (files.length === 0) return undefined
    const { ModulePrograms } = await import('./module-programs.js')
    return new ModulePrograms({ files, dir: options.dir, client, print: report.message })
  }

  /** Chooses the address of the webhooks before the clusters start, and writes the certificate for it. */
  async #prepareWebhooks(): Promise<void> {
    if (!this.#description.webhooks) return
    this.#webhooks = await DevWebhooks.prepare(this.#options.options.dir)
    await this.#describe()
    await this.#webhooks.writeCertificate(this.#description)
  }

  /** Asks the program what it registers. A program that fails reports this itself when it runs. */
  async #describe(): Promise<void> {
    const describeOptions = { namespace: programNamespace, env: this.#webhooks?.env }
    const described = await describeAnyProgram(this.#options.plugin, describeOptions).catch(() => undefined)
    if (described?.kind === 'OperatorDescription') this.#description = described
  }

  /** Restarts the operator when its sources change. */
  async #watchSources(): Promise<void> {
    const { options, plugin, report } = this.#options
    if (!options.watch) return
    await watchSources({
      roots: [plugin.path, ...sdkSources()],
      signal: this.#stopped.signal,
      isWatchedFile: watchedFiles(plugin.path),
      onUnwatched: report.unwatched,
      onChange: (file) => {
        report.sourceChanged(relative('.', file))
        void this.#restartChanged()
      },
    })
  }

  /** Restarts the operator, which may have other kinds and programs now. */
  async #restartChanged(): Promise<void> {
    void this.#programs?.build()
    await this.#describe()
    await this.#prepare().catch((error: unknown) => this.#options.report.message(String(error)))
    await this.#supervisor.restart()
  }

  /** Applies the samples when the operator is up, and waits until it has handled them. */
  async #applyAndReport({ first, all }: DevOperatorClusters): Promise<void> {
    const { options, plugin, report } = this.#options
    await Promise.all([this.#up, this.#programs?.build()])
    this.#supervisor.cameUp()
    const applied = await applyOperatorSamples(all, {
      folder: plugin.path,
      sampleFile: options.samples,
      description: this.#description,
    })
    const names = applied.flatMap(({ cluster, own }) =>
      own.map(({ resource, key }) => `${cluster.name} ${resource.kind} ${formatKey(key)}`),
    )
    if (options.once) {
      await this.#objects.untilHandled(names, onceLimitMs())
      return report.handled(names.length)
    }
    await this.#objects.untilHandled(names, hintsLimitMs).catch(() => {})
    if (this.#stopped.signal.aborted) return
    const [firstKind] = this.#description.kinds
    const name = firstKind ? `${firstKind.resource.plural}.${firstKind.resource.group}` : 'all'
    const firstCluster = all.find((cluster) => cluster.name === firstKind?.cluster) ?? first
    report.commands([`${firstCluster.kubectl} get ${name} -A -w`])
  }

  /** Starts the operator's process; called by the supervisor. */
  #spawn(): PluginProcess {
    const { plugin, options, report } = this.#options
    const { METRICS_ADDRESS = '127.0.0.1:0' } = process.env
    const child = spawnPlugin({
      entry: plugin.entry,
      env: {
        ...this.#webhooks?.env,
        METRICS_ADDRESS,
        ...this.#inspector.env,
        ...this.#kubeconfigs,
        POD_NAMESPACE: programNamespace,
      },
      onLine: (text) => {
        const line = readPluginLine(text)
        if (line?.running) this.#resolveUp()
        if (line) report.pluginLine(line)
      },
      inspect: options.inspect,
      heartbeats: report.heartbeats,
    })
    this.#inspector.follow(child)
    void child.exited.then(({ failure }) => report.pluginFailed(failure))
    return child
  }
}
