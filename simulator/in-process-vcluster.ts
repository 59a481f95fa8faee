import type { ApiServer } from '../apiserver/api-server.js'
import type { HookChain } from '../sdk/hook/hook-chain.js'
import type { Interceptors } from '../sdk/hook/interceptors.js'
import type { Logger } from '../sdk/observe/logger.js'
import type { Plugin } from '../sdk/plugin/plugin.js'
import type { Session } from '../sdk/plugin/session.js'
import { withoutInterceptors } from '../sdk/plugin/without-interceptors.js'
import { Reconciler } from '../sdk/syncer/reconciler.js'
import type { Registrant } from '../sdk/syncer/registrant.js'
import type { Clock } from '../sdk/time/clock.js'
import { FrontProxy } from './front-proxy.js'
import { inProcessTransport } from './in-process-transport.js'
import { type TestSessionOptions, testSession } from './test-session.js'
import { UsersWay } from './users-way.js'
import { type MirroredKind, mirroredKindNames } from './vcluster-mirror/mirrored-kind.js'
import { mirroredKinds } from './vcluster-mirror/mirrored-kinds.js'
import { labelModeOf, type Mirror, openMirror } from './vcluster-mirror/open-mirror.js'
import type { VClusterVersion } from './vcluster-options.js'

/** What an {@link InProcessVCluster} is made of. */
export interface InProcessVClusterOptions extends Omit<TestSessionOptions, 'virtual' | 'host'> {
  virtualServer: ApiServer
  hostServer: ApiServer
  version?: VClusterVersion
  mirrors?: readonly MirroredKind[]
  mirrorsAll?: boolean
  logger?: Logger
  clock?: Clock
}

/** The vcluster around a plugin under test: its session, its own syncers for the plugin's hooks, and the way of its users. */
export class InProcessVCluster {
  /** The plugin's interceptors are in front of it, once it has announced them. */
  readonly users: UsersWay
  readonly #options: InProcessVClusterOptions
  readonly #registrants: Registrant[] = []
  #mirror: Mirror | undefined

  constructor(options: InProcessVClusterOptions) {
    this.#options = options
    const virtual = inProcessTransport(options.virtualServer)
    this.users = new UsersWay(new FrontProxy(virtual, () => this.#mirror?.userServices))
  }

  /** The plugin's way to its clusters. Once it has announced its hooks, vcluster's syncers are at work. */
  session(): Session {
    const { version = '0.36' } = this.#options
    const session = testSession({
      labelMode: labelModeOf(version),
      ...this.#options,
      ...this.#transports(),
    })
    return {
      ...session,
      announce: async ({ hooks, interceptors }) => {
        this.#take(interceptors)
        await this.#startMirror(hooks)
      },
    }
  }

  /** The plugin, of which is noted what it registers. */
  noting(plugin: Plugin): Plugin {
    return {
      init: (options) => plugin.init(options),
      register: (registrant) => {
        plugin.register(registrant)
        this.#registrants.push(registrant)
      },
      start: () => plugin.start(),
      whenRunning: () => plugin.whenRunning(),
      isIdle: () => plugin.isIdle(),
      stop: () => plugin.stop(),
    }
  }

  isIdle(): boolean {
    return this.#mirror?.isIdle() ?? true
  }

  async stop(): Promise<void> {
    await this.#mirror?.stop()
  }

  #take(interceptors: Interceptors): void {
    const isTooOld = this.#options.version === '0.19' && interceptors.registrations !== undefined
    if (isTooOld) throw withoutInterceptors('this vcluster does not support interceptors')
    this.users.putInFront(interceptors)
  }

  async #startMirror(hooks: HookChain): Promise<void> {
    const clientHooks = hooks.registrations
    const { version = '0.36', mirrorsAll: all = false } = this.#options
    const kinds = this.#options.mirrors ?? (clientHooks.length > 0 ? this.#kindsOfNoSyncer() : [])
    if (kinds.length === 0) return
    const { signal } = new AbortController()
    const ask = async (request: Parameters<HookChain['mutate']>[0]) => hooks.mutate(request, { signal })
    const plugins = () => [{ name: this.#options.pluginName ?? 'test', clientHooks, ask }]
    this.#mirror = await openMirror({ ...this.#options, ...this.#transports(), version, kinds, all, plugins })
    const ended = this.#mirror.start()
    await Promise.race([this.#mirror.whenRunning(), ended])
  }

  #kindsOfNoSyncer(): MirroredKind[] {
    const synced = this.#registrants.filter((one) => one instanceof Reconciler)
    return mirroredKindNames.filter((kind) =>
      synced.every(
        ({ resource }) => resource.plural !== mirroredKinds[kind].resource.plural || resource.group !== '',
      ),
    )
  }

  #transports() {
    const { virtualServer, hostServer } = this.#options
    return { virtual: inProcessTransport(virtualServer), host: inProcessTransport(hostServer) }
  }
}
