import type { ApiServer } from '../apiserver/api-server.js'
import type { Resource } from '../sdk/engine/kube/resource.js'
import type { Logger } from '../sdk/engine/observe/logger.js'
import type { Clock } from '../sdk/engine/time/clock.js'
import { ClientHook } from '../sdk/vcluster/hook/client-hook.js'
import type { HookChain } from '../sdk/vcluster/hook/hook-chain.js'
import type { Interceptors } from '../sdk/vcluster/hook/interceptors.js'
import type { Plugin } from '../sdk/vcluster/plugin/plugin.js'
import type { Session } from '../sdk/vcluster/plugin/session.js'
import { noInterceptorsError } from '../sdk/vcluster/plugin/without-interceptors.js'
import { FrontProxy } from './front-proxy.js'
import { inProcessTransport } from './in-process-transport.js'
import { ServiceFilter } from './service-filter.js'
import { builtInKinds } from './syncers/built-in-kinds.js'
import { openSyncers, type VClusterSyncers } from './syncers/open-syncers.js'
import { type SyncedKind, syncedKinds } from './syncers/synced-kind.js'
import { type TestSessionOptions, testSession } from './test-session.js'
import type { VClusterVersion } from './vcluster-options.js'

/** Options of {@link InProcessVCluster}. */
export interface InProcessVClusterOptions extends Omit<TestSessionOptions, 'virtual' | 'host'> {
  virtualServer: ApiServer
  hostServer: ApiServer
  version?: VClusterVersion
  syncToHost?: readonly SyncedKind[]
  syncAllToHost?: boolean
  logger?: Logger
  clock?: Clock
}

type Runnable = Parameters<Plugin['register']>[0]

/**
 * The vcluster around a plugin under test: its session, its own syncers for the plugin's hooks, and its front proxy.
 */
export class InProcessVCluster {
  /**
   * The users' access to the virtual cluster. It routes to the plugin's interceptors once they are announced.
   */
  readonly frontProxy: FrontProxy
  readonly #options: InProcessVClusterOptions
  readonly #runnables: Runnable[] = []
  #syncers: VClusterSyncers | undefined

  constructor(options: InProcessVClusterOptions) {
    this.#options = options
    const virtual = inProcessTransport(options.virtualServer)
    this.frontProxy = new FrontProxy(new ServiceFilter(virtual, () => this.#syncers?.userServices))
  }

  /** The plugin's session. vcluster's syncers start when the plugin announces its hooks. */
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
        await this.#startSyncers(hooks)
      },
    }
  }

  /** Wraps a plugin so that everything registered with it is recorded. */
  recordRunnables(plugin: Plugin): Plugin {
    return {
      init: (options) => plugin.init(options),
      register: (...runnables) => {
        plugin.register(...runnables)
        this.#runnables.push(...runnables)
      },
      start: () => plugin.start(),
      whenRunning: () => plugin.whenRunning(),
      isIdle: () => plugin.isIdle(),
      stop: () => plugin.stop(),
    }
  }

  isIdle(): boolean {
    return this.#syncers?.isIdle() ?? true
  }

  async stop(): Promise<void> {
    await this.#syncers?.stop()
  }

  #take(interceptors: Interceptors): void {
    const isTooOld = this.#options.version === '0.19' && interceptors.registrations !== undefined
    if (isTooOld) throw noInterceptorsError('this vcluster has none')
    this.frontProxy.putInFront(interceptors)
  }

  async #startSyncers(hooks: HookChain): Promise<void> {
    const clientHooks = hooks.registrations
    const { version = '0.36', syncAllToHost: all = false } = this.#options
    const kinds = this.#options.syncToHost ?? (clientHooks.length > 0 ? this.#kindsOfNoSyncer() : [])
    if (kinds.length === 0) return
    const { signal } = new AbortController()
    const mutate = async (request: Parameters<HookChain['mutate']>[0]) => hooks.mutate(request, { signal })
    const plugins = () => [{ name: this.#options.pluginName ?? 'test', clientHooks, mutate }]
    this.#syncers = openSyncers({
      ...this.#options,
      ...this.#transports(),
      version,
      kinds,
      all,
      plugins,
    })
    await this.#syncers.start()
  }

  /**
   * The kinds for which the plugin has no syncer. vcluster's own syncer of a kind is off if the plugin has
   * one.
   */
  #kindsOfNoSyncer(): SyncedKind[] {
    const synced = this.#runnables.flatMap((runnable) => (isSyncer(runnable) ? [runnable.resource] : []))
    return syncedKinds.filter((kind) => {
      const { plural } = builtInKinds[kind].resource
      return synced.every((resource) => resource.plural !== plural || resource.group !== '')
    })
  }

  #transports() {
    const { virtualServer, hostServer } = this.#options
    return { virtual: inProcessTransport(virtualServer), host: inProcessTransport(hostServer) }
  }
}

/** A hook has a kind, too, but it syncs nothing. */
const isSyncer = (runnable: Runnable): runnable is Runnable & { resource: Resource } =>
  'resource' in runnable && !(runnable instanceof ClientHook)

/** The translation of label keys on the host in that version of vcluster. */
const labelModeOf = (version: VClusterVersion) => (version === '0.19' ? 'hashed' : 'reserved')
