import type { Mode } from '../../sdk/vcluster/plugin/mode.js'
import type { ClusterFaults } from './faults.js'

/** Settings of the two clusters of a development run. */
export interface ClusterOptions {
  vclusterName: string
  /** The host namespace for copies. */
  targetNamespace: string
  mode: Mode
  /** Folder for the kubeconfigs of embedded clusters. */
  dir: string
  /** Folder that keeps the objects of embedded clusters for the next run; default none. */
  state?: string | undefined
  /** Port of the virtual cluster's API server; 0 takes a free one. */
  virtualPort: number
  /** Port of the host cluster's API server; 0 takes a free one. */
  hostPort: number
  /** Faults that the embedded clusters inject into the plugin's requests. */
  faults: ClusterFaults
  /** Gives the plugin all permissions on an embedded host instead of those that `manifest` prints. */
  asAdmin: boolean
}

/** Real clusters for a plugin. */
export interface RealOptions {
  /** The host cluster's kubeconfig; default kubectl's. */
  kubeconfig: string | undefined
  /** The context in that kubeconfig; default the current one. */
  context: string | undefined
  /** The kubeconfig of a real virtual cluster; default an embedded one. */
  virtual: string | undefined
  /** Creates the host namespace if it does not exist. */
  createNamespace: boolean
  /** Runs the plugin although it would delete copies without originals in the real virtual cluster. */
  deleteOrphans: boolean
}
