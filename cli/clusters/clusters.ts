import type { Intercept } from '../../apiserver/listeners/https-listener.js'
import type { Client } from '../../sdk/engine/client/client.js'
import type { Transport } from '../../sdk/engine/transport/transport.js'
import type { PluginDescription } from '../../sdk/vcluster/plugin/description.js'
import type { ClusterFacts } from './cluster-facts.js'

/** One of the two clusters that a plugin runs against. */
export interface DevCluster extends ClusterFacts {
  /** Whether the cluster exists outside this process; then only the plugin writes to it unless the user asks. */
  isReal: boolean
  /** The plugin's kubeconfig, as text. */
  pluginKubeconfig: string
  /** The kubeconfig of the simulated vcluster's own syncers, as text. */
  ownKubeconfig: string
  transport: Transport
  client: Client
  /** Sets a function that sees requests of users first; undefined if requests cannot be intercepted. */
  interceptBy?: (intercept: Intercept) => void
  /** Writes the last changes to the folder that keeps the cluster's objects. Undefined without such a folder. */
  save?: () => Promise<void>
}

/** The two clusters that a plugin runs against. */
export interface DevClusters {
  virtual: DevCluster
  host: DevCluster
  /** The host namespace for copies. */
  targetNamespace: string
  /**
   * Creates required objects on the host and returns a message about them. Called after the user has seen which cluster
   * it is. Throws if the plugin must not run.
   */
  prepare: () => Promise<string | undefined>
  /**
   * Gives the plugin the permissions on the host that `manifest` prints for this description, or all permissions for
   * `undefined`. Undefined if the plugin uses the user's credentials.
   */
  grant?: (description: PluginDescription | undefined) => Promise<void>
}

/** Returns the description of the plugin's program; undefined if it gives none. */
export type DescribePlugin = () => Promise<PluginDescription | undefined>

/** Starts or opens both clusters; writes nothing to a real one. */
export type ClusterSource = (describe: DescribePlugin) => Promise<DevClusters>
