/**
 * The entry point of CNPG-I plugins: methods that take hooks, and `start`, which serves them to the operator. The
 * plugin declares to the operator what its hooks need.
 */
import type { Client } from '../engine/client/client.js'
import { type Pod, pods } from '../engine/kube/builtin.js'
import type { Environment } from '../engine/kube/environment.js'
import { PluginError } from '../engine/kube/error.js'
import type { KubeObject } from '../engine/kube/object.js'
import type { Resource } from '../engine/kube/resource.js'
import { awaitProcessEnd } from '../engine/manager/await-process-end.js'
import { describes } from '../engine/manager/describes.js'
import { createLogger } from '../engine/observe/create-logger.js'
import type { Logger } from '../engine/observe/logger.js'
import { noMetrics } from '../engine/observe/metrics.js'
import { type Clock, systemClock } from '../engine/time/clock.js'
import { type CallEnd, CallRunner } from './calls/call-runner.js'
import type { ServedMethod } from './calls/service.js'
import type { CnpgPlugin } from './cnpg-plugin.js'
import { describeCnpgPlugin } from './description.js'
import { endProcessOf } from './end-process.js'
import { HookRegistry } from './hook-registry.js'
import type { BackupHooks } from './hooks/backup-hooks.js'
import type { ClusterHooks } from './hooks/cluster-hooks.js'
import type { MetricsHook, PostgresHook, RestoreJobHook } from './hooks/instance-hooks.js'
import type { ObjectHook, PodHook } from './hooks/object-hook.js'
import type { WalHooks } from './hooks/wal-hooks.js'
import { type CnpgInspector, cnpgInspector } from './inspection/cnpg-inspector.js'
import { LazyClusterClient } from './lazy-cluster-client.js'
import { missingSidecars } from './missing-sidecars.js'
import { checkPluginMetadata } from './plugin-metadata.js'
import type { InternalCnpgPluginOptions } from './plugin-options.js'
import { registerSidecar } from './pod/register-sidecar.js'
import type { PodContainer, SidecarOptions } from './pod/sidecar.js'
import { type PluginArguments, readArguments } from './server/arguments.js'
import { CnpgServer } from './server/cnpg-server.js'
import { allServices } from './services/all-services.js'
import { SentStatuses } from './services/sent-statuses.js'
import { type AdmissionMethods, admissionMethods } from './webhook/admission-methods.js'
import { AdmissionServer } from './webhook/admission-server.js'

/** Implements {@link CnpgPlugin}, with further members for the test kit. */
export class PluginRuntime<P = Record<string, string>> implements CnpgPlugin<P> {
  readonly #options: InternalCnpgPluginOptions<P>
  readonly #registry: HookRegistry<P>
  readonly #arguments: PluginArguments
  readonly #logger: Logger
  readonly #clock: Clock
  readonly #runner: CallRunner
  readonly #access: LazyClusterClient
  readonly #stopped = new AbortController()
  #running: Promise<void> | undefined
  #address: string | undefined
  #server: CnpgServer | undefined
  #admission: AdmissionServer | undefined
  #inspector: CnpgInspector | undefined

  /** Made by `createCnpgPlugin`. */
  constructor(options: InternalCnpgPluginOptions<P>) {
    checkPluginMetadata(options)
    const { env = process.env, args = process.argv.slice(2), clock = systemClock } = options
    this.#options = options
    // A description needs no address. The environment may contain one that is valid only for the deployed plugin.
    this.#arguments = describes(env) ? readArguments([], {}) : readArguments(args, env)
    this.#logger = options.logger ?? createLogger(this.#arguments.isDebug ? { ...env, DEBUG: 'true' } : env)
    this.#clock = clock
    this.#registry = new HookRegistry(options, options.parameters)
    const metrics = options.metrics ?? options.probes?.metrics ?? noMetrics
    const { name: plugin, permissions = [], client } = options
    this.#access = new LazyClusterClient({ plugin, permissions, env, logger: this.#logger, client })
    const onEnd = (end: CallEnd) => this.#inspector?.onEnd(end)
    this.#runner = new CallRunner({ plugin: options.name, logger: this.#logger, metrics, clock, onEnd })
  }

  get name(): string {
    return this.#options.name
  }

  get address(): string | undefined {
    return this.#address
  }

  get webhookPort(): number | undefined {
    return this.#admission?.port
  }

  pods(hook: PodHook<Pod, P>): this {
    this.#registryBeforeStart().addObjects(pods, hook)
    return this
  }

  objects<T extends KubeObject>(resource: Resource<T>, hook: ObjectHook<T, P>): this {
    this.#registryBeforeStart().addObjects(resource, hook)
    return this
  }

  cluster(hooks: ClusterHooks<P>): this {
    this.#registryBeforeStart().take('cluster', hooks)
    return this
  }

  backups(hooks: BackupHooks<P>): this {
    this.#registryBeforeStart().take('backups', hooks)
    return this
  }

  wal(hooks: WalHooks<P>): this {
    this.#registryBeforeStart().take('wal', hooks)
    return this
  }

  restoreJob(hook: RestoreJobHook<P>): this {
    this.#registryBeforeStart().take('restoreJob', hook)
    return this
  }

  postgres(hook: PostgresHook<P>): this {
    this.#registryBeforeStart().take('postgres', hook)
    return this
  }

  metrics(hook: MetricsHook<P>): this {
    this.#registryBeforeStart().take('metrics', hook)
    return this
  }

  sidecar(container: PodContainer, options?: SidecarOptions): this {
    registerSidecar(this.#registryBeforeStart(), container, options)
    return this
  }

  client(): Promise<Client> {
    return this.#access.client()
  }

  /** All methods that are served, for the test kit. */
  servedMethods(): readonly ServedMethod[] {
    const { trial = 'sampled', statusPauseMs: pauseMs } = this.#options
    const sent = new SentStatuses({ clock: this.#clock, pauseMs })
    return allServices(this.#registry, { trial, sent, checkReady: () => this.#runner.checkOpen() })
  }

  /** Runs calls, for the test kit. */
  get runner(): CallRunner {
    return this.#runner
  }

  start(): Promise<void> {
    if (this.#running) throw new PluginError('ALREADY_STARTED', 'plugin.start() was called twice')
    const ended = this.#run()
    const stop = () => void this.#stopProcess()
    this.#running = this.#options.stopsOnSignals ? awaitProcessEnd(ended, stop) : ended
    return this.#running
  }

  async stop(): Promise<void> {
    this.#stopped.abort()
    await this.#running?.catch(() => {})
  }

  async #stopProcess(): Promise<void> {
    await this.stop()
    endProcessOf(this.#runner.unfinished, this.#logger)
  }

  /** Serves until the plugin is stopped, then closes everything that it opened. */
  async #run(): Promise<void> {
    const { stopDeadlineMs = 10_000, probes, env = process.env } = this.#options
    if (describes(env)) return this.#printDescription(stopDeadlineMs)
    for (const warning of missingSidecars(this.#registry)) this.#logger.warn({ plugin: this.name }, warning)
    const methods = this.servedMethods()
    const admission = admissionMethods(this.#registry)
    const [logger, clock, runner] = [this.#logger, this.#clock, this.#runner]
    this.#server = new CnpgServer({ name: this.name, methods, logger, clock, runner })
    try {
      const program = { name: this.name, logger, clock }
      const reviews = this.#arguments.webhookAddress === undefined ? [] : Object.values(admission)
      this.#inspector = await this.#inspectorOf([...methods, ...reviews], env)
      await probes?.serve(
        { live: () => [], ready: () => this.#checks(), pages: this.#inspector?.pages },
        program,
      )
      this.#admission = await this.#serveAdmission(admission)
      this.#address = await this.#server.listen(this.#arguments.listen)
      this.#logger.info({ plugin: this.name, address: this.#address }, 'the plugin serves the operator')
      await this.#untilStopped()
      this.#logger.info({ plugin: this.name }, 'the plugin stops')
    } finally {
      this.#stopped.abort()
      await this.#admission?.close()
      await this.#server.close(stopDeadlineMs)
      await probes?.close()
      await this.#access.close()
    }
  }

  #printDescription(stopDeadlineMs: number): void {
    const { permissions } = this.#options
    const options = { stopDeadlineMs, ...(permissions && { permissions }) }
    process.stdout.write(`${JSON.stringify(describeCnpgPlugin(this.#registry, options))}\n`)
  }

  #inspectorOf(methods: readonly ServedMethod[], env: Environment): Promise<CnpgInspector | undefined> {
    return cnpgInspector({
      name: this.name,
      methods,
      env,
      clock: this.#clock,
      metrics: this.#options.probes?.metrics,
      isServing: () => this.#address !== undefined && !this.#stopped.signal.aborted,
    })
  }

  async #serveAdmission(methods: AdmissionMethods): Promise<AdmissionServer | undefined> {
    const { webhookAddress, listen } = this.#arguments
    if (webhookAddress === undefined) return undefined
    if (!('tls' in listen)) {
      const message =
        '--webhook-address needs --server-address with certificates: the webhooks serve the same one'
      throw new PluginError('INVALID_ADDRESS', message)
    }
    const options = { methods, address: webhookAddress, tls: listen.tls, runner: this.#runner }
    const server = new AdmissionServer({ ...options, logger: this.#logger, clock: this.#clock })
    await server.listen(this.#stopped.signal)
    return server
  }

  /** The readiness checks: the gRPC server serves. */
  #checks() {
    const wrong = () =>
      this.#address === undefined || this.#stopped.signal.aborted
        ? 'it does not serve the operator'
        : undefined
    return [{ name: 'grpc', wrong }]
  }

  #untilStopped(): Promise<void> {
    const { signal } = this.#stopped
    if (signal.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
  }

  /** The registry, as long as hooks may be registered. Throws `ALREADY_STARTED` afterwards. */
  #registryBeforeStart(): HookRegistry<P> {
    if (this.#running) throw new PluginError('ALREADY_STARTED', 'register all hooks before plugin.start()')
    return this.#registry
  }
}
