/**
 * A stand-in for the vcluster process as its sidecar plugins see it: it hands out its context from the first
 * moment, waits for the plugins it was told of, and only then leads.
 *
 * Promises the answers, errors and order of a real process over a real socket, restarts included; once it leads it
 * mirrors as vcluster's own syncers do and shows the plugins' hooks what those read and write. Leaves the two clusters to
 * whoever made their kubeconfigs.
 * See pkg/plugin/v1/plugin.go @ v0.19.10 and @ v0.36.1 of vcluster.
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
import { askHook } from './ask-hook.js'
import { type GrpcListener, listenGrpc } from './listen-grpc.js'
import type { MirroredKind } from './vcluster-mirror/mirrored-kind.js'
import type { HookedPlugin } from './vcluster-mirror/plugin-hooks.js'
import { ProcessMirror } from './vcluster-mirror/process-mirror.js'
import { type VClusterVersion, vclusterOptions } from './vcluster-options.js'

/** A stand-in vcluster process's configuration. */
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
  /** The host namespace copies go to. Default `currentNamespace`. */
  targetNamespace?: string
  /** The names of the plugins whose registration the process waits for. Default none. */
  waitsFor?: readonly string[]
  /** Whose answers to give. Default `0.36`. */
  version?: VClusterVersion
  /** `host:port` to listen on; port 0 takes a free one, and restarts keep it. Default `127.0.0.1:0`. */
  listenAddress?: string
  /** Time between the last awaited registration and leadership, in milliseconds. Default 0. */
  leaderDelayMs?: number
  /** Measures `leaderDelayMs`. Default the machine's clock. */
  clock?: Clock
  /**
   * The kinds that it mirrors by itself once it leads, which is where hooks are called; a plugin must not sync them, too.
   * Default those that the registered plugins have hooks for.
   */
  mirrors?: readonly MirroredKind[]
  /** Whether ConfigMaps and Secrets are mirrored that no Pod refers to, as by `sync.toHost.configMaps.all`. Default false. */
  mirrorsAll?: boolean
  /** Where its syncers say what fails. Default nowhere. */
  logger?: Logger
}

/** A plugin's registration, as the process got it. */
export interface Registration {
  name: string
  /** Where the plugin's hooks are served; `''` from the deprecated call, which has no hooks. */
  address: string
  clientHooks: RegisterPluginRequest['clientHooks']
}

type Settings = Required<Omit<VClusterProcessOptions, 'mirrors'>> & Pick<VClusterProcessOptions, 'mirrors'>
type Reply<T> = sendUnaryData<T>
type Waiter = { name: string; resolve: (registration: Registration) => void }

/** A running stand-in; made by {@link startVClusterProcess}. */
export class VClusterProcess {
  readonly #settings: Settings
  readonly #registrations = new Map<string, Registration>()
  #waiters: Waiter[] = []
  #listener: GrpcListener | undefined
  #address: string
  #runID = ''
  #leader = false
  #cancelLeading = () => {}
  readonly #mirror: ProcessMirror

  /** Not started yet: {@link startVClusterProcess} does both. */
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
    this.#mirror = new ProcessMirror({
      ...this.#settings,
      hostKubeconfig: this.#settings.ownHostKubeconfig,
      vclusterName: name,
      all: this.#settings.mirrorsAll,
    })
  }

  /** Where it listens, `host:port`. */
  get address(): string {
    return this.#address
  }

  /** The run it is in: 12 characters, others after each start. */
  get runID(): string {
    return this.#runID
  }

  /** Whether it says it leads. */
  get leader(): boolean {
    return this.#leader
  }

  /** Starts a new run: nobody is registered and it does not lead. Throws a `PluginError` `CANNOT_LISTEN`. */
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

  /** Ends the run as a killed process does: connections break, calls under way fail. */
  async stop(): Promise<void> {
    const listener = this.#listener
    this.#listener = undefined
    this.#cancelLeading()
    this.#leader = false
    await listener?.kill()
    await this.#mirror.stop()
  }

  /** Ends the run and starts the next one on the same port. */
  async restart(): Promise<void> {
    await this.stop()
    await this.start()
  }

  /** Resolves with the plugin's registration in the present run, at once if there is one. */
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
    this.#mirrorWhenHooked()
  }

  #leadWhenComplete(): void {
    const { waitsFor, clock, leaderDelayMs } = this.#settings
    if (this.#leader || !waitsFor.every((name) => this.#registrations.has(name))) return
    this.#cancelLeading()
    this.#cancelLeading = clock.schedule(leaderDelayMs, () => {
      this.#leader = true
      this.#mirrorWhenHooked()
    })
  }

  #mirrorWhenHooked(): void {
    if (this.#leader) this.#mirror.start(() => [...this.#registrations.values()].map(hooked))
  }
}

/** Starts a stand-in vcluster process. Throws a `PluginError` `CANNOT_LISTEN` if its port is taken. */
export async function startVClusterProcess(options: VClusterProcessOptions): Promise<VClusterProcess> {
  const vcluster = new VClusterProcess(options)
  await vcluster.start()
  return vcluster
}

const hooked = ({ name, address, clientHooks }: Registration): HookedPlugin => ({
  name,
  clientHooks,
  ask: (request) => askHook(address, request),
})

function cannotListen(address: string, cause: NodeJS.ErrnoException): Error {
  const sentence = `the vcluster process cannot listen on ${address}`
  if (cause.code !== 'EADDRINUSE') return new Error(`${sentence}: ${cause.message}`, { cause })
  const advice = 'the port is taken; stop the program that listens there or choose another address'
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
