import type { Client } from '../../client/client.js'
import type { Transport } from '../../transport/transport.js'

/** A cluster as `dev` uses it. */
export interface DevCluster {
  /** Where its API server is. */
  url: string
  /** The file by which its user reaches it. */
  kubeconfig: string
  /** Text of the kubeconfig that the plugin reaches it by. */
  pluginKubeconfig: string
  transport: Transport
  client: Client
}

/** The two clusters of a run of `dev`, wherever they come from. */
export interface DevClusters {
  virtual: DevCluster
  host: DevCluster
  /** The host namespace that copies go to; it is there. */
  targetNamespace: string
}

/** Brings up or opens both clusters. */
export type ClusterSource = () => Promise<DevClusters>
