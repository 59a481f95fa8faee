/**
 * A simulated vcluster process as its sidecar plugins see it. It serves its context from the start, waits until the
 * configured plugins have registered, and then becomes the leader.
 *
 * It implements the answers, errors and order of a real process over a real socket, also across restarts. As
 * the leader it runs the simulated syncers, which call the plugins' hooks. It does not create the two
 * clusters. See pkg/plugin/v1/plugin.go @ v0.19.10 and @ v0.36.1 of vcluster.
 */
import { randomBytes } from 'node:crypto'
import { GrpcServer } from '../sdk/engine/grpc/server.js'
import { PluginError } from '../sdk/engine/kube/error.js'
import { type Context, VClusterDefinition } from '../sdk/vcluster/remote/proto/gen/v1.js'
import { callHook } from './call-hook.js'
import { type GrpcListener, listenGrpc } from './listen-grpc.js'
import type { HookedPlugin } from './syncers/plugin-hooks.js'
import { ProcessSyncers } from './syncers/process-syncers.js'
import { vclusterOptions } from './vcluster-options.js'
import {
  type Registration,
  settingsOf,
  type VClusterProcessOptions,
  type VClusterProcessSettings,
} from './vcluster-process-options.js'
import { vclusterService } from './vcluster-service.js'

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
export interface VClusterProcess {
  /** The address that it listens on, `host:port`. */
  readonly address: string
  /** The id of the present run: 12 characters, different after each start. */
  readonly runID: string
  /** Whether the process is the leader. */
  readonly leader: boolean
  /** Starts a new run, without registrations and leadership. Throws a `PluginError` `CANNOT_LISTEN`. */
  start(): Promise<void>
  /** Ends the run like the end of a process: connections break, and calls in progress fail. */
  stop(): Promise<void>
  /** Ends the run and starts the next one on the same port. */
  restart(): Promise<void>
  /** Resolves with the plugin's registration in the present run, past or future. */
  registered(name: string): Promise<Registration>
}

class SimulatedVClusterProcess implements VClusterProcess {
  readonly #settings: VClusterProcessSettings
  readonly #registrations = new Map<string, Registration>()
  #waiters: Waiter[] = []
  #listener: GrpcListener | undefined
  #address: string
  #runID = ''
  #leader = false
  #cancelLeading = () => {}
  readonly #syncers: ProcessSyncers

  constructor(options: VClusterProcessOptions) {
    this.#settings = settingsOf(options)
    this.#address = this.#settings.listenAddress
    this.#syncers = new ProcessSyncers({
      ...this.#settings,
      hostKubeconfig: this.#settings.ownHostKubeconfig,
      vclusterName: this.#settings.name,
      all: this.#settings.syncAllToHost,
    })
  }

  get address(): string {
    return this.#address
  }

  get runID(): string {
    return this.#runID
  }

  get leader(): boolean {
    return this.#leader
  }

  async start(): Promise<void> {
    if (this.#listener !== undefined) return
    const server = new GrpcServer({ maxRequestBytes: Number.POSITIVE_INFINITY })
    const service = vclusterService({
      context: () => this.#context(),
      leadership: () => ({ leader: this.#leader, runID: this.#runID }),
      accept: (registration) => this.#accept(registration),
    })
    server.serve(VClusterDefinition, service)
    this.#registrations.clear()
    this.#runID = randomRunID()
    this.#listener = await listenGrpc(server, this.#address).catch((cause) => {
      throw cannotListenError(this.#address, cause)
    })
    this.#address = this.#address.replace(/:\d+$/, `:${this.#listener.port}`)
    this.#leadWhenComplete()
  }

  async stop(): Promise<void> {
    const listener = this.#listener
    this.#listener = undefined
    this.#cancelLeading()
    this.#leader = false
    await listener?.kill()
    await this.#syncers.stop()
  }

  async restart(): Promise<void> {
    await this.stop()
    await this.start()
  }

  registered(name: string): Promise<Registration> {
    const registration = this.#registrations.get(name)
    if (registration !== undefined) return Promise.resolve(registration)
    return new Promise((resolve) => this.#waiters.push({ name, resolve }))
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
    const registered = this.#waiters.filter(({ name }) => name === registration.name)
    this.#waiters = this.#waiters.filter(({ name }) => name !== registration.name)
    for (const { resolve } of registered) resolve(registration)
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
    if (this.#leader) this.#syncers.start(() => [...this.#registrations.values()].map(hookedPlugin))
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
  const vcluster = new SimulatedVClusterProcess(options)
  await vcluster.start()
  return vcluster
}

const hookedPlugin = ({ name, address, clientHooks }: Registration): HookedPlugin => ({
  name,
  clientHooks,
  mutate: (request) => callHook(address, request),
})

function cannotListenError(address: string, cause: NodeJS.ErrnoException): Error {
  const sentence = `the vcluster process cannot listen on ${address}`
  if (cause.code !== 'EADDRINUSE') return new Error(`${sentence}: ${cause.message}`, { cause })
  const advice = 'the port is in use; stop the program that listens there or choose another address'
  return new PluginError('CANNOT_LISTEN', `${sentence}: ${advice}`, { cause })
}

function randomRunID(): string {
  return randomBytes(6).toString('hex')
}
