import { type Logger, silentLogger } from '../sdk/engine/observe/logger.js'
import { type Clock, systemClock } from '../sdk/engine/time/clock.js'
import type { HookedKind } from './hook-call.js'
import type { SyncedKind } from './syncers/synced-kind.js'
import type { VClusterVersion } from './vcluster-options.js'

/** Options of `startVClusterProcess`. */
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
   * The kinds that its own syncers sync once it leads. Hooks are called for these kinds, and a plugin must not sync
   * them. Default the kinds that the registered plugins have hooks for.
   */
  syncToHost?: readonly SyncedKind[]
  /**
   * Whether ConfigMaps and Secrets are synced that no Pod uses, as with `sync.toHost.configMaps.all`. Default false.
   */
  syncAllToHost?: boolean
  /** The log of its syncers. Default silent. */
  logger?: Logger
}

/** The registration of a plugin. */
export interface Registration {
  name: string
  /** The address of the plugin's hooks; `''` for the deprecated call, which has no hooks. */
  address: string
  clientHooks: readonly HookedKind[]
}

/** Options with their defaults. */
export type VClusterProcessSettings = Required<Omit<VClusterProcessOptions, 'syncToHost'>> &
  Pick<VClusterProcessOptions, 'syncToHost'>

/** Puts in the defaults. */
export function settingsOf(options: VClusterProcessOptions): VClusterProcessSettings {
  const { name = 'vcluster', currentNamespace = `vcluster-${name}` } = options
  return {
    syncerKubeconfig: options.virtualKubeconfig,
    ownHostKubeconfig: options.hostKubeconfig,
    targetNamespace: currentNamespace,
    waitsFor: [],
    version: '0.36',
    listenAddress: '127.0.0.1:0',
    leaderDelayMs: 0,
    clock: systemClock,
    syncAllToHost: false,
    logger: silentLogger,
    ...options,
    name,
    currentNamespace,
  }
}
