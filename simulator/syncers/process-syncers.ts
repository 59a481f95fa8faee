import type { Logger } from '../../sdk/engine/observe/logger.js'
import type { Clock } from '../../sdk/engine/time/clock.js'
import type { Transport } from '../../sdk/engine/transport/transport.js'
import type { VClusterVersion } from '../vcluster-options.js'
import type { VClusterSyncers } from './open-syncers.js'
import type { HookedPlugin } from './plugin-hooks.js'
import type { OfBoth, Side } from './sync-cluster.js'
import { type SyncedKind, syncedKinds } from './synced-kind.js'

/** Options of {@link ProcessSyncers}. */
export interface ProcessSyncersOptions {
  vclusterName: string
  targetNamespace: string
  version: VClusterVersion
  /** The kinds to sync; default those that the plugins have hooks for. */
  syncToHost?: readonly SyncedKind[]
  all: boolean
  /** Kubeconfig texts. */
  virtualKubeconfig: string
  hostKubeconfig: string
  logger: Logger
  clock: Clock
}

/** The syncers of a simulated vcluster process. They call the hooks of plugins in other processes. */
export class ProcessSyncers {
  readonly #options: ProcessSyncersOptions
  #kinds = ''
  #syncers: Promise<VClusterSyncers | undefined> = Promise.resolve(undefined)

  constructor(options: ProcessSyncersOptions) {
    this.#options = options
  }

  /** Starts the syncers, or replaces them if the plugins now have hooks for other kinds. */
  start(plugins: () => Iterable<HookedPlugin>): void {
    const { syncToHost = kindsHookedBy(plugins()) } = this.#options
    this.#replace(syncToHost, plugins)
  }

  /** Ends the syncers. {@link start} may start them again. */
  async stop(): Promise<void> {
    this.#replace([], () => [])
    await this.#syncers
  }

  /** A failure to start is logged, because a process that leads cannot stop leading. */
  #replace(kinds: readonly SyncedKind[], plugins: () => Iterable<HookedPlugin>): void {
    if (kinds.join() === this.#kinds) return
    this.#kinds = kinds.join()
    this.#syncers = this.#syncers
      .then((syncers) => syncers?.stop())
      .then(() => (kinds.length > 0 ? this.#open(kinds, plugins) : undefined))
      .catch((error) => this.#failed(error))
  }

  async #open(kinds: readonly SyncedKind[], plugins: () => Iterable<HookedPlugin>): Promise<VClusterSyncers> {
    // Most plugins have no hooks, so loading this module on demand makes the start faster.
    const { openSyncers } = await import('./open-syncers.js')
    const syncers = openSyncers({ ...this.#options, ...(await this.#openClusters()), kinds, plugins })
    syncers.start().catch((error) => this.#failed(error))
    return syncers
  }

  #failed(error: unknown): undefined {
    // Stopping syncers while they start is not a failure.
    if (this.#kinds !== '')
      this.#options.logger.error({ error }, 'cannot start the syncers of the vcluster process')
  }

  async #openClusters(): Promise<OfBoth<Transport>> {
    const { virtualKubeconfig, hostKubeconfig, logger, clock } = this.#options
    const { createTransport } = await import('../../sdk/engine/transport/create-transport.js')
    const { formatUserAgent } = await import('../../sdk/engine/transport/user-agent.js')
    const { loadKubeconfig } = await import('../../sdk/engine/transport/load-kubeconfig.js')
    const open = async (cluster: Side, text: string) => {
      const kubeconfig = await loadKubeconfig({ text, source: `the ${cluster} kubeconfig` })
      return createTransport({ kubeconfig, cluster, userAgent: formatUserAgent('vcluster'), logger, clock })
    }
    return { virtual: await open('virtual', virtualKubeconfig), host: await open('host', hostKubeconfig) }
  }
}

function kindsHookedBy(plugins: Iterable<HookedPlugin>): SyncedKind[] {
  const hooked = new Set([...plugins].flatMap(({ clientHooks }) => clientHooks.map(({ kind }) => kind)))
  return syncedKinds.filter((kind) => hooked.has(kind))
}
