/**
 * The entry point of CNPG-I plugins: methods that take hooks, and `start`, which serves them to the operator. The
 * hooks decide what it declares.
 */
import { type Pod, pods } from '../kube/builtin.js'
import { PluginError } from '../kube/error.js'
import type { KubeObject } from '../kube/object.js'
import type { Resource } from '../kube/resource.js'
import { stopOnSignals } from '../manager/stop-on-signals.js'
import type { Logger } from '../observe/logger.js'
import { noMetrics } from '../observe/metrics.js'
import { createLogger } from '../plugin/logger.js'
import { type Clock, systemClock } from '../time/clock.js'
import { CallRunner } from './calls/call-runner.js'
import type { ServedMethod } from './calls/service.js'
import type { HookContext } from './context/hook-context.js'
import type { BackupHooks } from './hooks/backup-hooks.js'
import type { ClusterHooks } from './hooks/cluster-hooks.js'
import type { MetricsHook, PostgresHook, RestoreJobHook } from './hooks/instance-hooks.js'
import type { ObjectHook, PodHook } from './hooks/object-hook.js'
import type { WalHooks } from './hooks/wal-hooks.js'
import { anyParameters } from './parameters/any-parameters.js'
import type { ParameterSchema } from './parameters/parameters.js'
import { checkPluginName } from './plugin-name.js'
import type { InternalCnpgPluginOptions } from './plugin-options.js'
import { addSidecar } from './pod/sidecar.js'
import { Registry } from './registry.js'
import { type PluginArguments, readArguments } from './server/arguments.js'
import { CnpgServer } from './server/cnpg-server.js'
import { allServices } from './services/all-services.js'
import { AdmissionServer } from './webhook/admission-server.js'

/** The parameters that the hooks of a plugin see. */
export type ParametersOf<T> = T extends CnpgPlugin<infer P> ? P : never
/** The context of the hooks of a plugin, for functions of your own: `ContextOf<typeof plugin>`. */
export type ContextOf<T> = HookContext<ParametersOf<T>>

/** Makes the plugin of a process; see `createPlugin`. */
export class CnpgPlugin<P = Record<string, string>> {
  readonly #options: InternalCnpgPluginOptions<P>
  readonly #registry: Registry<P>
  readonly #arguments: PluginArguments
  readonly #logger: Logger
  readonly #clock: Clock
  readonly #runner: CallRunner
  readonly #stopped = new AbortController()
  #running: Promise<void> | undefined
  #address: string | undefined
  #server: CnpgServer | undefined
  #admission: AdmissionServer<P> | undefined

  /** Made by `createPlugin`. */
  constructor(options: InternalCnpgPluginOptions<P>) {
    checkPluginName(options.name)
    const { env = process.env, args = process.argv.slice(2), clock = systemClock } = options
    this.#options = options
    this.#arguments = readArguments(args, env)
    this.#logger = options.logger ?? createLogger(this.#arguments.isDebug ? { ...env, DEBUG: 'true' } : env)
    this.#clock = clock
    const schema = options.parameters ?? (anyParameters as unknown as ParameterSchema<P>)
    this.#registry = new Registry(options, schema)
    const metrics = options.metrics ?? options.probes?.metrics ?? noMetrics
    this.#runner = new CallRunner({ plugin: options.name, logger: this.#logger, metrics, clock })
  }

  /** The name that Clusters use. */
  get name(): string {
    return this.#options.name
  }

  /** The address once it has started, for example `127.0.0.1:9090` or `/plugins/hello.example.org`. */
  get address(): string | undefined {
    return this.#address
  }

  /** The port of the admission webhooks once the plugin has started; undefined without them. */
  get webhookPort(): number | undefined {
    return this.#admission?.port
  }

  /** Adds hooks for Pods. Several hooks run one after the other, on the same draft. */
  pods(hook: PodHook<Pod, P>): this {
    this.#open().addObjects(pods, hook)
    return this
  }

  /** Adds hooks for another kind that the operator makes, for example Jobs or Services. */
  objects<T extends KubeObject>(resource: Resource<T>, hook: ObjectHook<T, P>): this {
    this.#open().addObjects(resource, hook)
    return this
  }

  /** Takes the hooks for Clusters. */
  cluster(hooks: ClusterHooks<P>): this {
    this.#open().take('cluster', hooks)
    return this
  }

  /** Takes the hooks for Backups. */
  backups(hooks: BackupHooks<P>): this {
    this.#open().take('backups', hooks)
    return this
  }

  /** Takes the archive of the WAL. */
  wal(hooks: WalHooks<P>): this {
    this.#open().take('wal', hooks)
    return this
  }

  /** Takes the hook of restore jobs. */
  restoreJob(hook: RestoreJobHook<P>): this {
    this.#open().take('restoreJob', hook)
    return this
  }

  /** Takes the hook for the configuration of Postgres. */
  postgres(hook: PostgresHook<P>): this {
    this.#open().take('postgres', hook)
    return this
  }

  /** Takes the metrics of instances. */
  metrics(hook: MetricsHook<P>): this {
    this.#open().take('metrics', hook)
    return this
  }

  /**
   * Adds a sidecar to the Pods of instances, and declares that the plugin serves there: archive, backups, configuration and
   * metrics are asked in instances only, over the socket of the sidecar.
   */
  sidecar(container: Parameters<typeof addSidecar>[1]): this {
    const registry = this.#open()
    registry.sidecars.instances = true
    return this.pods({ instance: (_ctx, pod) => addSidecar(pod, container) })
  }

  /** All methods that are served, for the test kit. */
  servedMethods(): readonly ServedMethod[] {
    const { trial = 'sampled' } = this.#options
    return allServices(this.#registry, { trial, checkReady: () => this.#runner.checkOpen() })
  }

  /** Runs calls, for the test kit. */
  get runner(): CallRunner {
    return this.#runner
  }

  /**
   * Serves the operator until the plugin is stopped. Throws `PluginError` `INVALID_ADDRESS`, `INVALID_CERTIFICATE` or
   * `CANNOT_LISTEN` if it cannot.
   */
  start(): Promise<void> {
    if (this.#running) throw new PluginError('ALREADY_STARTED', 'plugin.start() was called twice')
    const ignore = this.#options.stopsOnSignals ? stopOnSignals(() => void this.stop()) : () => {}
    this.#running = this.#run().finally(ignore)
    return this.#running
  }

  /** Refuses new calls, lets running ones finish, removes the socket and closes the ports. */
  async stop(): Promise<void> {
    this.#stopped.abort()
    await this.#running?.catch(() => {})
  }

  async #run(): Promise<void> {
    const { stopDeadlineMs = 10_000, probes } = this.#options
    const methods = this.servedMethods()
    const shared = { logger: this.#logger, clock: this.#clock, runner: this.#runner }
    this.#server = new CnpgServer({ name: this.name, methods, ...shared })
    try {
      await probes?.serve({ live: () => [], ready: () => this.#checks() }, this.#logger)
      this.#admission = await this.#serveAdmission()
      this.#address = await this.#server.listen(this.#arguments.listen)
      this.#logger.info({ plugin: this.name, address: this.#address }, 'the plugin serves the operator')
      await this.#untilStopped()
      this.#logger.info({ plugin: this.name }, 'the plugin stops')
    } finally {
      this.#stopped.abort()
      await this.#admission?.close()
      await this.#server.close(stopDeadlineMs)
      await probes?.close()
    }
  }

  async #serveAdmission(): Promise<AdmissionServer<P> | undefined> {
    const { webhookAddress, listen } = this.#arguments
    if (webhookAddress === undefined) return undefined
    if (!('tls' in listen)) {
      const message =
        '--webhook-address needs --server-address with certificates: the webhooks serve the same one'
      throw new PluginError('INVALID_ADDRESS', message)
    }
    const options = { hooks: this.#registry, address: webhookAddress, tls: listen.tls, runner: this.#runner }
    const server = new AdmissionServer({ ...options, logger: this.#logger, clock: this.#clock })
    await server.listen(this.#stopped.signal)
    return server
  }

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

  #open(): Registry<P> {
    if (this.#running) throw new PluginError('ALREADY_STARTED', 'register all hooks before plugin.start()')
    return this.#registry
  }
}
