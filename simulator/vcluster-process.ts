/**
 * A simulated vcluster process as its sidecar plugins see it. It serves its context from the start, waits until the
 * configured plugins have registered, and then becomes the leader.
 *
 * It implements the answers, errors and order of a real process over a real socket, also across restarts. As
 * the leader it runs the simulated syncers, which call the plugins' hooks. It does not create the two
 * clusters. See pkg/plugin/v1/plugin.go @ v0.19.10 and @ v0.36.1 of vcluster.
 */
import { randomBytes } from 'node:crypto'
import { Server, type ServerUnaryCall, type sendUnaryData, status } from '@grpc/grpc-js'
import { PluginError } from '../sdk/kube/error.js'
import { type Logger, silentLogger } from '../sdk/observe/logger.js'
import {
  type Context,
  type Empty,
  type LeaderInfo,
  type PluginInfo,
  type RegisterPluginRequest,
  type RegisterPluginResult,
  type VClusterServer,
  VClusterService,
} from '../sdk/remote/proto/gen/v1.js'
import { type Clock, systemClock } from '../sdk/time/clock.js'
import { callHook } from './call-hook.js'
import { type GrpcListener, listenGrpc } from './listen-grpc.js'
import type { MirroredKind } from './syncers/mirrored-kind.js'
import type { HookedPlugin } from './syncers/plugin-hooks.js'
import { ProcessSyncers } from './syncers/process-syncers.js'
import { type VClusterVersion, vclusterOptions } from './vcluster-options.js'

/** Options of {@link startVClusterProcess}. */
export interface VClusterProcessOptions {
  /** Kubeconfig text of the virtual cluster. */
  virtualKubeconfig: string
  /** Kubeconfig text of the host cluster. */
  hostKubeconfig: string
  /** Kubeconfig text of the host cluster for the process's own syncers. Default `hostKubeconfig`. */
  ownHostKubeconfig?: string
  /** Kubeconfig text of the virtual cluster through vcluster's proxy. Default `virtualKubeconfig`. */
  syncerKubeconfig?: string
  /** The vcluster's name. Default `vcluster`. */
  name?: string
  /** The host namespace of the process. Default `vcluster-<name>`. */
  currentNamespace?: string
  /** The host namespace of the copies. Default `currentNamespace`. */
  targetNamespace?: string
  /** The names of the plugins whose registration the process waits for. Default none. */
  waitsFor?: readonly string[]
  /** The version of vcluster that is simulated. Default `0.36`. */
  version?: VClusterVersion
  /** `host:port` to listen on; port 0 takes a free one, and restarts keep it. Default `127.0.0.1:0`. */
  listenAddress?: string
  /** Time between the last awaited registration and leadership, in milliseconds. Default 0. */
  leaderDelayMs?: number
  /** Measures `leaderDelayMs`. Default the machine's clock. */
  clock?: Clock
  /**
   * The kinds that its own syncers sync once it leads. Hooks are called for these kinds, and a plugin must not sync them.
   * Default the kinds that the registered plugins have hooks for.
   */
  mirrors?: readonly MirroredKind[]
  /** Whether ConfigMaps and Secrets are synced that no Pod uses, as with `sync.toHost.configMaps.all`. Default false. */
  mirrorsAll?: boolean
  /** The log of its syncers. Default silent. */
  logger?: Logger
}

/** The registration of a plugin. */
export interface Registration {
  name: string
  /** The address of the plugin's hooks; `''` for the deprecated call, which has no hooks. */
  address: string
  clientHooks: RegisterPluginRequest['clientHooks']
}

type Settings = Required<Omit<VClusterProcessOptions, 'mirrors'>> & Pick<VClusterProcessOptions, 'mirrors'>
type Reply<T> = sendUnaryData<T>
type Waiter = { name: string; resolve: (registration: Registration) => void }

/**
 * A simulated vcluster process; made by {@link startVClusterProcess}.
 *
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs'
 *
 * const virtualKubeconfig = readFileSync('virtual.kubeconfig', 'utf8')
 * const hostKubeconfig = readFileSync('host.kubeconfig', 'utf8')
 * const vcluster: VClusterProcess = await startVClusterProcess({ virtualKubeconfig, hostKubeconfig })
 * const { clientHooks } = await vcluster.registered('my-plugin')
 * console.log(clientHooks.map(({ kind, types }) => `${kind}: ${types.join(' ')}`))
 * await vcluster.stop()
 * ```
 */
export class VClusterProcess {
  readonly #settings: Settings
  readonly #registrations = new Map<string, Registration>()
  #waiters: Waiter[] = []
  #listener: GrpcListener | undefined
  #address: string
  #runID = ''
  #leader = false
  #cancelLeading = () => {}
  readonly #syncers: ProcessSyncers

  /** Does not start it; {@link startVClusterProcess} does both. */
  constructor(options: VClusterProcessOptions) {
    const { name = 'vcluster', currentNamespace = `vcluster-${name}` } = options
    this.#settings = {
      syncerKubeconfig: options.virtualKubeconfig,
      ownHostKubeconfig: options.hostKubeconfig,
      targetNamespace: currentNamespace,
      waitsFor: [],
      version: '0.36',
      listenAddress: '127.0.0.1:0',
      leaderDelayMs: 0,
      clock: systemClock,
      mirrorsAll: false,
      logger: silentLogger,
      ...options,
      name,
      currentNamespace,
    }
    this.#address = this.#settings.listenAddress
    this.#syncers = new ProcessSyncers({
      ...this.#settings,
      hostKubeconfig: this.#settings.ownHostKubeconfig,
      vclusterName: name,
      all: this.#settings.mirrorsAll,
    })
  }

  /** The address that it listens on, `host:port`. */
  get address(): string {
    return this.#address
  }

  /** The id of the present run: 12 characters, different after each start. */
  get runID(): string {
    return this.#runID
  }

  /** Whether it is the leader. */
  get leader(): boolean {
    return this.#leader
  }

  /** Starts a new run, without registrations and leadership. Throws a `PluginError` `CANNOT_LISTEN`. */
  async start(): Promise<void> {
    if (this.#listener !== undefined) return
    const server = new Server({ 'grpc.max_receive_message_length': -1 })
    server.addService(VClusterService, this.#service())
    this.#registrations.clear()
    this.#runID = randomRunID()
    this.#listener = await listenGrpc(server, this.#address).catch((cause) => {
      throw cannotListen(this.#address, cause)
    })
    this.#address = this.#address.replace(/:\d+$/, `:${this.#listener.port}`)
    this.#leadWhenComplete()
  }

  /** Ends the run like the end of a process: connections break, and calls in progress fail. */
  async stop(): Promise<void> {
    const listener = this.#listener
    this.#listener = undefined
    this.#cancelLeading()
    this.#leader = false
    await listener?.kill()
    await this.#syncers.stop()
  }

  /** Ends the run and starts the next one on the same port. */
  async restart(): Promise<void> {
    await this.stop()
    await this.start()
  }

  /** Resolves with the plugin's registration in the present run, past or future. */
  registered(name: string): Promise<Registration> {
    const known = this.#registrations.get(name)
    if (known !== undefined) return Promise.resolve(known)
    return new Promise((resolve) => this.#waiters.push({ name, resolve }))
  }

  #service(): VClusterServer {
    return {
      getContext: (_call: ServerUnaryCall<Empty, Context>, reply: Reply<Context>) =>
        reply(null, this.#context()),
      isLeader: (_call: ServerUnaryCall<Empty, LeaderInfo>, reply: Reply<LeaderInfo>) =>
        reply(null, { leader: this.#leader, runID: this.#runID }),
      register: ({ request }: ServerUnaryCall<PluginInfo, Context>, reply: Reply<Context>) => {
        this.#accept({ name: request.name, address: '', clientHooks: [] })
        reply(null, this.#context())
      },
      registerPlugin: (
        { request }: ServerUnaryCall<RegisterPluginRequest, RegisterPluginResult>,
        reply: Reply<RegisterPluginResult>,
      ) => {
        const refusal = refusalOf(request)
        if (refusal !== undefined) return reply({ code: status.UNKNOWN, details: refusal })
        this.#accept({ name: request.name, address: request.address, clientHooks: request.clientHooks })
        reply(null, {})
      },
    }
  }

  #context(): Context {
    const { name, targetNamespace, currentNamespace, waitsFor: plugins, version } = this.#settings
    const options = vclusterOptions(version, { name, targetNamespace, plugins, listenAddress: this.#address })
    return {
      virtualClusterConfig: this.#settings.virtualKubeconfig,
      physicalClusterConfig: this.#settings.hostKubeconfig,
      syncerConfig: this.#settings.syncerKubeconfig,
      targetNamespace,
      currentNamespace,
      options: JSON.stringify(options),
    }
  }

  #accept(registration: Registration): void {
    if (registration.name === '') return
    this.#registrations.set(registration.name, registration)
    const answered = this.#waiters.filter(({ name }) => name === registration.name)
    this.#waiters = this.#waiters.filter(({ name }) => name !== registration.name)
    for (const { resolve } of answered) resolve(registration)
    this.#leadWhenComplete()
    this.#syncWhenHooked()
  }

  #leadWhenComplete(): void {
    const { waitsFor, clock, leaderDelayMs } = this.#settings
    if (this.#leader || !waitsFor.every((name) => this.#registrations.has(name))) return
    this.#cancelLeading()
    this.#cancelLeading = clock.schedule(leaderDelayMs, () => {
      this.#leader = true
      this.#syncWhenHooked()
    })
  }

  #syncWhenHooked(): void {
    if (this.#leader) this.#syncers.start(() => [...this.#registrations.values()].map(hooked))
  }
}

/**
 * Starts a simulated vcluster process. Throws a `PluginError` `CANNOT_LISTEN` if its port is in use.
 *
 * @example
 * ```ts
 * const [virtual, host] = [await createApiServer(), await createApiServer()]
 * await Promise.all([virtual.listen(), host.listen()])
 * const vcluster = await startVClusterProcess({
 *   virtualKubeconfig: await virtual.kubeconfig(),
 *   hostKubeconfig: await host.kubeconfig(),
 * })
 * console.log(`VCLUSTER_PLUGIN_ADDRESS=${vcluster.address}`)
 * ```
 */
export async function startVClusterProcess(options: VClusterProcessOptions): Promise<VClusterProcess> {
  const vcluster = new VClusterProcess(options)
  await vcluster.start()
  return vcluster
}

const hooked = ({ name, address, clientHooks }: Registration): HookedPlugin => ({
  name,
  clientHooks,
  ask: (request) => callHook(address, request),
})

function cannotListen(address: string, cause: NodeJS.ErrnoException): Error {
  const sentence = `the vcluster process cannot listen on ${address}`
  if (cause.code !== 'EADDRINUSE') return new Error(`${sentence}: ${cause.message}`, { cause })
  const advice = 'the port is in use; stop the program that listens there or choose another address'
  return new PluginError('CANNOT_LISTEN', `${sentence}: ${advice}`, { cause })
}

function refusalOf({ name, clientHooks }: RegisterPluginRequest): string | undefined {
  for (const { apiVersion, kind } of clientHooks) {
    if (apiVersion === '') return `generate client hooks: api version is empty in plugin ${name} hook`
    if (kind === '') return `generate client hooks: kind is empty in plugin ${name} hook`
  }
  return undefined
}

function randomRunID(): string {
  return randomBytes(6).toString('hex')
}
