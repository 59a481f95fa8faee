import { setMaxListeners } from 'node:events'
import type { KubeObject, OwnerReference } from '../../sdk/engine/kube/object.js'
import { type Logger, silentLogger } from '../../sdk/engine/observe/logger.js'
import { type Clock, sleep, systemClock } from '../../sdk/engine/time/clock.js'
import type { Transport } from '../../sdk/engine/transport/transport.js'
import type { VClusterVersion } from '../vcluster-options.js'
import { builtInKinds } from './built-in-kinds.js'
import { findCopiesOwner } from './copies-owner.js'
import { HostTranslator } from './host-translator.js'
import type { KindRules } from './kind-rules.js'
import { type HookedPlugin, PluginHooks } from './plugin-hooks.js'
import { serviceRules } from './service-rules.js'
import { SimulatedSyncer } from './simulated-syncer.js'
import { type OfBoth, SyncCluster } from './sync-cluster.js'
import type { SyncedKind } from './synced-kind.js'
import { SyncerLoop } from './syncer-loop.js'
import { UsedObjects } from './used-objects.js'
import { UserServices } from './user-services.js'

/** Options of {@link openSyncers}. */
export interface SyncersOptions {
  vclusterName: string
  targetNamespace: string
  version: VClusterVersion
  kinds: readonly SyncedKind[]
  /** Whether ConfigMaps and Secrets are synced that no Pod uses. */
  all: boolean
  /** The plugins with hooks, read again for each hook call. */
  plugins: () => Iterable<HookedPlugin>
  /** Closed when the syncers stop. */
  virtual: Transport
  host: Transport
  logger?: Logger
  clock?: Clock
}

/** Time limit for aborted runs to end, in milliseconds. */
const abortDeadlineMs = 1000

/** Creates the syncers of a vcluster, which call the plugins' hooks. Does not start them. */
export function openSyncers(options: SyncersOptions): VClusterSyncers {
  return new VClusterSyncers(options)
}

/** vcluster's own syncers, simulated; made by {@link openSyncers}. */
export class VClusterSyncers {
  /** The handling of users' Services in vcluster's API; `undefined` if Services are not synced. */
  readonly userServices: UserServices | undefined
  readonly #options: SyncersOptions & { logger: Logger; clock: Clock }
  readonly #clusters: OfBoth<SyncCluster>
  readonly #hooks: PluginHooks
  readonly #loops: readonly SyncerLoop[]
  readonly #stop = new AbortController()
  #owner: OwnerReference | undefined
  #ended: Promise<unknown> | undefined

  constructor(given: SyncersOptions) {
    const options = { logger: silentLogger, clock: systemClock, ...given }
    const { version, kinds, targetNamespace: namespace, logger, clock } = options
    this.#options = options
    // Every worker and every call listens to it. Node would report a leak.
    setMaxListeners(0, this.#stop.signal)
    this.#clusters = {
      virtual: new SyncCluster({ side: 'virtual', transport: options.virtual, logger, clock }),
      host: new SyncCluster({ side: 'host', transport: options.host, namespace, logger, clock }),
    }
    this.#hooks = new PluginHooks(options.plugins)
    const used = options.all ? undefined : new UsedObjects(this.#clusters.virtual.stores)
    this.#loops = kinds.map((kind) => this.#loopOf(builtInKinds[kind], used))
    if (!kinds.includes('Service')) return
    const translator = this.#translatorOf(serviceRules)
    const { signal } = this.#stop
    this.userServices = new UserServices({
      translator,
      hooks: this.#hooks,
      version,
      signal,
      clusters: this.#clusters,
    })
  }

  /** Resolves when all syncers run. Rejects when they are stopped before that. */
  async start(): Promise<void> {
    const { virtual, host } = this.#clusters
    const { vclusterName: name, targetNamespace: namespace, logger, clock } = this.#options
    const { signal } = this.#stop
    virtual.stores.start(signal)
    host.stores.start(signal)
    this.#owner = await findCopiesOwner(host.client, { namespace, name }, { logger, clock, signal })
    await Promise.all([virtual, host].map(({ stores }) => stores.whenAnswered(signal)))
    this.#ended = Promise.all(this.#loops.map((loop) => loop.run(signal)))
  }

  /** Whether all syncers run, and no key is queued or running. */
  isIdle(): boolean {
    return this.#ended !== undefined && this.#loops.every((loop) => loop.isIdle())
  }

  /** Aborts the runs, as the end of the process does, and closes the connections. */
  async stop(): Promise<void> {
    this.#stop.abort(new Error('the syncers were stopped'))
    for (const loop of this.#loops) loop.close()
    await Promise.race([this.#ended, sleep(this.#options.clock, abortDeadlineMs)])
    await Promise.all([this.#clusters.virtual.close(), this.#clusters.host.close()])
  }

  #translatorOf<T extends KubeObject>(rules: KindRules<T>): HostTranslator<T> {
    const { vclusterName, targetNamespace: hostNamespace, version } = this.#options
    return new HostTranslator({ vclusterName, hostNamespace, version, rules, owner: () => this.#owner })
  }

  #loopOf<T extends KubeObject>(rules: KindRules<T>, used: UsedObjects | undefined): SyncerLoop {
    const { version, logger, clock } = this.#options
    const syncer = new SimulatedSyncer({
      rules,
      version,
      logger,
      hooks: this.#hooks,
      clusters: this.#clusters,
      translator: this.#translatorOf(rules),
      used: rules.onlyUsed ? used : undefined,
    })
    return new SyncerLoop(syncer, { logger, clock })
  }
}
