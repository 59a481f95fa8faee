import type { Side } from '../../sdk/context/register-context.js'
import type { Logger } from '../../sdk/observe/logger.js'
import { noMetrics } from '../../sdk/observe/metrics.js'
import type { Clock } from '../../sdk/time/clock.js'
import type { Transport } from '../../sdk/transport/transport.js'
import type { VClusterVersion } from '../vcluster-options.js'
import { type MirroredKind, mirroredKindNames } from './mirrored-kind.js'
import type { VClusterSyncers } from './open-syncers.js'
import type { HookedPlugin } from './plugin-hooks.js'

/** What a {@link ProcessSyncers} is made of. */
export interface ProcessSyncersOptions {
  vclusterName: string
  targetNamespace: string
  version: VClusterVersion
  /** Which kinds; by default those that the plugins have hooks for. */
  mirrors?: readonly MirroredKind[]
  all: boolean
  /** Kubeconfig texts. */
  virtualKubeconfig: string
  hostKubeconfig: string
  logger: Logger
  clock: Clock
}

/** The syncers of a stand-in vcluster process, which call the hooks of plugins in other processes. */
export class ProcessSyncers {
  readonly #options: ProcessSyncersOptions
  #kinds = ''
  #syncers: Promise<VClusterSyncers | undefined> = Promise.resolve(undefined)

  constructor(options: ProcessSyncersOptions) {
    this.#options = options
  }

  /** Starts them, or those of other kinds in their place where the plugins have come to hook others. */
  start(plugins: () => Iterable<HookedPlugin>): void {
    const { mirrors = kindsHookedBy(plugins()) } = this.#options
    this.#replace(mirrors, plugins)
  }

  /** Ends them; {@link start} begins anew. */
  async stop(): Promise<void> {
    this.#replace([], () => [])
    await this.#syncers
  }

  /** What keeps them from starting is logged: a process that leads cannot go back. */
  #replace(kinds: readonly MirroredKind[], plugins: () => Iterable<HookedPlugin>): void {
    if (kinds.join() === this.#kinds) return
    this.#kinds = kinds.join()
    this.#syncers = this.#syncers
      .then((syncers) => syncers?.stop())
      .then(() => (kinds.length > 0 ? this.#open(kinds, plugins) : undefined))
      .catch((error) => this.#ended(error))
  }

  async #open(
    kinds: readonly MirroredKind[],
    plugins: () => Iterable<HookedPlugin>,
  ): Promise<VClusterSyncers> {
    // Most plugins have no hooks, and what is not loaded does not delay them.
    const { openSyncers } = await import('./open-syncers.js')
    const syncers = await openSyncers({ ...this.#options, ...(await this.#openClusters()), kinds, plugins })
    syncers.start().catch((error) => this.#ended(error))
    return syncers
  }

  #ended(error: unknown): undefined {
    this.#options.logger.error({ error }, 'the syncers of the vcluster process ended')
  }

  async #openClusters(): Promise<Record<Side, Transport>> {
    const { virtualKubeconfig, hostKubeconfig, ...observed } = this.#options
    const { openTransport } = await import('../../sdk/plugin/open-transport.js')
    const { loadKubeconfig } = await import('../../sdk/transport/kubeconfig.js')
    const open = async (side: Side, text: string) => {
      const kubeconfig = await loadKubeconfig({ text, source: `the ${side} kubeconfig` })
      return openTransport(side, kubeconfig, { ...observed, pluginName: 'vcluster', metrics: noMetrics })
    }
    return { virtual: await open('virtual', virtualKubeconfig), host: await open('host', hostKubeconfig) }
  }
}

function kindsHookedBy(plugins: Iterable<HookedPlugin>): MirroredKind[] {
  const hooked = new Set([...plugins].flatMap(({ clientHooks }) => clientHooks.map(({ kind }) => kind)))
  return mirroredKindNames.filter((kind) => hooked.has(kind))
}
