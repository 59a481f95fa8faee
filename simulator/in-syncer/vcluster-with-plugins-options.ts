import type { ChildProcess } from 'node:child_process'
import type { Logger } from '../../sdk/engine/observe/logger.js'
import type { SyncedKind } from '../syncers/synced-kind.js'
import type { VClusterVersion } from '../vcluster-options.js'

/** Options of `startVClusterWithPlugins`. */
export interface VClusterWithPluginsOptions {
  /**
   * Each plugin's program, `<folder>/<name>/plugin`, in the order in which their hooks run; or its main
   * module, which is started with the Node and the flags of this process. A plugin has the name of its
   * folder. The caller may also start the program itself.
   */
  programs: readonly (string | StartedProgram)[]
  /** The file with the virtual cluster's kubeconfig. */
  virtualKubeconfigFile: string
  /** Kubeconfig text of the host cluster. */
  hostKubeconfig: string
  /** Kubeconfig text of the host cluster for the process's own syncers. Default `hostKubeconfig`. */
  ownHostKubeconfig?: string
  /** The vcluster's name. Default `vcluster`. */
  name?: string
  /** The host namespace of the process. Default `vcluster-<name>`. */
  currentNamespace?: string
  /** The host namespace of the copies. Default `currentNamespace`. */
  targetNamespace?: string
  /** The version of vcluster that is simulated; only 0.36 has interceptors. Default `0.36`. */
  version?: VClusterVersion
  /**
   * The plugins' configurations by their names, as in `plugins.<name>.config` of the vcluster's values. Default none.
   */
  config?: Readonly<Record<string, object>>
  /**
   * The kinds that its own syncers sync once it leads. Hooks are called for these kinds, and a plugin must not sync
   * them. Default the kinds that the plugins have hooks for.
   */
  syncToHost?: readonly SyncedKind[]
  /**
   * Whether ConfigMaps and Secrets are synced that no Pod uses, as with `sync.toHost.configMaps.all`. Default false.
   */
  syncAllToHost?: boolean
  /** The log of its syncers. Default silent. */
  logger?: Logger
  /** The environment of the process and its plugins. Default `PATH`, `HOME` and `TMPDIR` of this one. */
  env?: Readonly<Record<string, string | undefined>>
}

/**
 * A plugin's program that the caller has just started, with `programEnvironment` in its environment.
 */
export interface StartedProgram {
  /** The plugin's folder: its working directory, and its name. */
  folder: string
  /** The process. Its standard output and error must be pipes. */
  child: ChildProcess
  /** Gets each line that the program prints while it is connected. Default none. */
  onPrint?: (line: string) => void
}
