import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { BehaviorSubject, filter, firstValueFrom, timeout } from 'rxjs'
import { formatKey } from '../../sdk/kube/key.js'
import type { OperatorDescription } from '../../sdk/operator/describe/operator-description.js'
import { systemClock as clock } from '../../sdk/time/clock.js'
import { describeFaults } from '../clusters/faults.js'
import { writeKubeconfig } from '../clusters/kubeconfigs.js'
import { type OperatorCluster, startOperatorCluster } from '../clusters/operator-cluster.js'
import { runDeployments } from '../clusters/run-deployments.js'
import { servedKinds } from '../clusters/served-kinds.js'
import { type InspectorAddress, writeInspectorAddress } from '../inspector/inspector-address.js'
import { describeAnyProgram } from '../program/describe-program.js'
import { pluginEnvironment } from '../program/plugin-environment.js'
import { readPluginLine } from '../program/plugin-log.js'
import { type PluginProcess, spawnPlugin } from '../program/plugin-process.js'
import { type AppliedSample, applySamples, readSamples } from '../samples/samples.js'
import { DevWebhooks } from './dev-webhooks.js'
import type { ModulePrograms } from './module-programs.js'
import { notMirrored, onceLimitMs } from './not-mirrored.js'
import { kindsToWatch, type OperatorChange, operatorChanges } from './operator-changes.js'
import { PluginSupervisor } from './plugin-supervisor.js'
import { type DevProgram, type DevProgramOptions, programNamespace } from './programs/dev-program.js'
import { sdkSources } from './sdk-sources.js'
import { watchSources } from './watch-sources.js'
import { watchedFiles } from './watched-files.js'

/** Options of {@link OperatorSession}. */
export interface OperatorSessionOptions extends DevProgramOptions {
  inspector: InspectorAddress
}

/** One run of `dev` for an operator: an embedded cluster, which stays, and the operator's process, which is restarted. */
export class OperatorSession implements DevProgram {
  readonly #parts: DevProgramOptions
  readonly #inspector: InspectorAddress
  readonly #keeper: PluginSupervisor
  readonly #stopped = new AbortController()
  readonly #up: Promise<void>
  #resolveUp = () => {}
  #description: OperatorDescription
  #cluster: OperatorCluster | undefined
  /** Undefined if the operator has no webhooks when `dev` starts. */
  #webhooks: DevWebhooks | undefined
  /** The programs of Modules that the operator loads. */
  #programs: ModulePrograms | undefined
  /** The kinds that are shown; their watches go on when the operator is restarted. */
  readonly #shown = new Set<string>()
  /** The objects that the operator has handled, by kind and name. */
  readonly #handled = new BehaviorSubject(new Set<string>())
  #kubeconfig = ''

  constructor(parts: OperatorSessionOptions, description: OperatorDescription) {
    const { plugin, report, inspector } = parts
    this.#parts = parts
    this.#inspector = inspector
    this.#description = description
    this.#up = new Promise((resolve) => {
      this.#resolveUp = resolve
    })
    this.#keeper = new PluginSupervisor({
      folder: plugin.folder,
      spawn: () => this.#spawn(),
      onStart: (pid) => report.pluginStarted(plugin, pid),
      onCrash: (reason, delayMs) => report.pluginCrashed(reason, delayMs),
      onUnloadable: parts.options.watch ? (failure) => report.unloadable(failure) : undefined,
      clock,
    })
  }

  async run(): Promise<void> {
    const { options, report } = this.#parts
    await this.#prepareWebhooks()
    const cluster = await startOperatorCluster({ ...options, webhookAddress: this.#webhooks?.address })
    this.#cluster = cluster
    report.cluster(cluster, describeFaults(options.faults))
    await writeInspectorAddress(options.dir, this.#inspector)
    report.inspector(this.#inspector.url)
    await this.#writeKubeconfig(cluster)
    await this.#prepare()
    this.#programs = await this.#modulePrograms(cluster)
    runDeployments({ ...cluster, signal: this.#stopped.signal, onProblem: report.message })
    await this.#watchSources()
    const kept = this.#keeper.run()
    const worked = this.#work(cluster)
    await Promise.race([kept, options.once ? worked : worked.then(() => kept)])
  }

  get inspectorUrl(): string | undefined {
    return this.#inspector.url
  }

  restart(): Promise<void> {
    this.#parts.report.restarting()
    return this.#keeper.restart()
  }

  async stop(): Promise<void> {
    this.#stopped.abort()
    await this.#keeper.stop()
    await this.#cluster?.close()
  }

  kill(): void {
    this.#keeper.kill()
  }

  /** For the operator only, because it is not an administrator. */
  async #writeKubeconfig({ programKubeconfig }: OperatorCluster): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), 'vcluster-plugin-dev-'))
    this.#stopped.signal.addEventListener('abort', () => void rm(folder, { recursive: true, force: true }))
    this.#kubeconfig = await writeKubeconfig(folder, 'operator', programKubeconfig)
  }

  /** Installs the kinds, grants the permissions, and shows the objects of kinds that were not shown before. */
  async #prepare(): Promise<void> {
    if (!this.#cluster) return
    await this.#cluster.prepare(this.#webhooks?.trusted(this.#description) ?? this.#description)
    await this.#webhooks?.publish(this.#cluster.client, this.#description)
    const { transport } = this.#cluster
    const kinds = kindsToWatch(this.#description, await servedKinds(transport))
    const fresh = kinds.filter(({ group, plural }) => !this.#shown.has(`${plural}.${group}`))
    for (const { group, plural } of fresh) this.#shown.add(`${plural}.${group}`)
    const changes = operatorChanges(fresh, transport).subscribe((change) => this.#show(change))
    this.#stopped.signal.addEventListener('abort', () => changes.unsubscribe())
  }

  async #modulePrograms({ client }: OperatorCluster): Promise<ModulePrograms | undefined> {
    const { options, plugin, report } = this.#parts
    const { programs: files } = plugin
    if (files.length === 0) return undefined
    const { ModulePrograms } = await import('./module-programs.js')
    return new ModulePrograms({ files, dir: options.dir, client, tell: report.message })
  }

  async #prepareWebhooks(): Promise<void> {
    if (!this.#description.webhooks) return
    this.#webhooks = await DevWebhooks.prepare(this.#parts.options.dir)
    await this.#describe()
    await this.#webhooks.writeCertificate(this.#description)
  }

  /** Asks the program what it registers. A program that fails reports this itself when it runs. */
  async #describe(): Promise<void> {
    const asked = { namespace: programNamespace, env: this.#webhooks?.env }
    const described = await describeAnyProgram(this.#parts.plugin, asked).catch(() => undefined)
    if (described?.kind === 'OperatorDescription') this.#description = described
  }

  #show({ name, verb, state, isNews, isHandled }: OperatorChange): void {
    if (isNews) this.#parts.report.objectChanged(name, verb, state)
    if (isHandled) this.#handled.next(this.#handled.value.add(name))
  }

  async #watchSources(): Promise<void> {
    const { options, plugin, report } = this.#parts
    if (!options.watch) return
    await watchSources({
      roots: [plugin.path, ...sdkSources()],
      signal: this.#stopped.signal,
      isWatchedFile: watchedFiles(plugin.path),
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
    await this.#prepare().catch((error: unknown) => this.#parts.report.message(String(error)))
    await this.#keeper.restart()
  }

  async #work(cluster: OperatorCluster): Promise<void> {
    const { options, plugin, report } = this.#parts
    await Promise.all([this.#up, this.#programs?.build()])
    this.#keeper.cameUp()
    const objects = await readSamples(plugin.path, options.samples, [])
    const file = options.samples ?? 'samples.yaml'
    const { client, transport } = cluster
    const samples = await applySamples(objects, { side: 'virtual', file, client, transport })
    if (options.once) return this.#untilHandled(samples)
    const [own] = this.#description.kinds
    const name = own ? `${own.resource.plural}.${own.resource.group}` : 'all'
    report.commands([`${cluster.kubectl} get ${name} -A -w`])
  }

  /** Waits until the samples of the operator's own kinds are shown as handled. */
  async #untilHandled(samples: readonly AppliedSample[]): Promise<void> {
    const { kinds } = this.#description
    const own = samples.filter((sample) =>
      kinds.some(({ resource }) => resource.kind === sample.resource.kind),
    )
    const names = own.map(({ resource, key }) => `${resource.kind} ${formatKey(key)}`)
    const missing = () => names.find((name) => !this.#handled.value.has(name))
    const all = this.#handled.pipe(
      filter(() => missing() === undefined),
      timeout({ first: onceLimitMs }),
    )
    await firstValueFrom(all).catch(() => {
      throw notMirrored(
        `${missing()} is not ready: it has no status with a condition Ready, Available or another that is true`,
      )
    })
    this.#parts.report.handled(own.length)
  }

  #spawn(): PluginProcess {
    const { plugin, options, report } = this.#parts
    const { METRICS_ADDRESS = '127.0.0.1:0', ...env } = pluginEnvironment(process.env)
    const child = spawnPlugin({
      entry: plugin.entry,
      env: {
        ...env,
        ...this.#webhooks?.env,
        METRICS_ADDRESS,
        ...this.#inspector.env,
        KUBECONFIG: this.#kubeconfig,
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
    void child.exited.then(({ failure }) => report.pluginFailed(failure))
    return child
  }
}
