import type { Mode } from '../../sdk/plugin/mode.js'
import type { DevFaults } from '../clusters/faults.js'

/** What `vcluster-plugin dev` was told to do. */
export interface DevOptions {
  /** The plugin's folder. */
  folder: string
  /** Where the kubeconfigs of embedded clusters are written. */
  dir: string
  vclusterName: string
  /** The host namespace that copies go to. */
  targetNamespace: string
  mode: Mode
  /** Mirror the samples, print a summary and end. */
  once: boolean
  /** Restart the plugin when its source changes. */
  watch: boolean
  /** The file of the objects to begin with; default `samples.yaml` in the plugin's folder. */
  seed: string | undefined
  /** The port on which the plugin waits for a debugger to attach; default none. */
  inspect: number | undefined
  /** Set where the host cluster is a real one. */
  real: RealOptions | undefined
  /** Whether the plugin may do everything on an embedded host, and not only what `manifest` prints. */
  asAdmin: boolean
  /** What goes wrong between the plugin and the embedded clusters. */
  faults: DevFaults
  /** Show all of the plugin's log. */
  verbose: boolean
  /** Port of the virtual cluster's API server; 0 takes a free one, as with the other two. */
  virtualPort: number
  /** Port of the host cluster's API server. */
  hostPort: number
  /** Port on which the stand-in vcluster process listens. */
  vclusterPort: number
}

/** Which real clusters a plugin is run against. */
export interface RealOptions {
  /** The host cluster's kubeconfig; default kubectl's. */
  kubeconfig: string | undefined
  /** The context of it; default the current one. */
  context: string | undefined
  /** The kubeconfig of a real virtual cluster; default an embedded one. */
  virtual: string | undefined
  /** Make the host namespace where it is not there. */
  createNamespace: boolean
  /** Run also where the plugin would delete copies, because the real virtual cluster has no originals of them. */
  deleteOrphans: boolean
}
