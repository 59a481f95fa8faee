import type { Intercept } from '../../apiserver/doors/https-door.js'
import type { Client } from '../../sdk/client/client.js'
import type { PluginDescription } from '../../sdk/plugin/description.js'
import type { Transport } from '../../sdk/transport/transport.js'
import type { ClusterFacts } from './cluster-facts.js'

/** A cluster as `dev` uses it. */
export interface DevCluster extends ClusterFacts {
  /** Whether it is there without `dev`: nothing but what the plugin writes may come to it unasked. */
  isReal: boolean
  /** Text of the kubeconfig that the plugin reaches it by. */
  pluginKubeconfig: string
  /** The same for the simulated vcluster's own syncers. */
  ownKubeconfig: string
  transport: Transport
  client: Client
  /** Lets this see what users ask first; left out where nothing can be put in front of the cluster. */
  interceptBy?: (intercept: Intercept) => void
}

/** The two clusters of a run of `dev`, wherever they come from. */
export interface DevClusters {
  virtual: DevCluster
  host: DevCluster
  /** The host namespace that copies go to. */
  targetNamespace: string
  /**
   * Makes on the host what has to be there, once the user has been told where that is; answers in words what it made.
   * Throws where the plugin must not run.
   */
  prepare: () => Promise<string | undefined>
  /**
   * Gives the plugin the rights on the host that `manifest` prints for this description, all rights for `undefined`; left out
   * where it has those of its user's credentials.
   */
  grant?: (description: PluginDescription | undefined) => Promise<void>
}

/** What the plugin's program tells of itself; undefined where it does not. */
export type DescribePlugin = () => Promise<PluginDescription | undefined>

/** Brings up or opens both clusters, and writes nothing to one that is real. */
export type ClusterSource = (describe: DescribePlugin) => Promise<DevClusters>
