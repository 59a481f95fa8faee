import type { OperatorDescription } from '../../sdk/operator/describe/operator-description.js'
import { writeKubeconfig } from './kubeconfigs.js'
import {
  type DevOperatorClusterOptions,
  type OperatorCluster,
  startOperatorCluster,
} from './operator-cluster.js'

/** The embedded clusters of an operator. */
export interface DevOperatorClusters {
  /** The cluster with the Lease and the webhooks. */
  readonly first: OperatorCluster
  /** All clusters, beginning with `first`. */
  readonly all: readonly OperatorCluster[]
  /** See {@link OperatorCluster.prepare}, for all of them. */
  prepare(description: OperatorDescription): Promise<void>
  /** Writes the kubeconfigs of the operator to a folder. Returns the environment variables by which it finds them. */
  environment(folder: string): Promise<Record<string, string>>
  close(): Promise<void>
}

/** Starts a cluster for each that the operator names. Only the first one has a port and webhooks. */
export async function startOperatorClusters(
  [name = 'main', ...others]: readonly string[],
  options: Omit<DevOperatorClusterOptions, 'name'>,
): Promise<DevOperatorClusters> {
  const shared = { ...options, webhookAddress: undefined, hostPort: 0 }
  const first = await startOperatorCluster({ name, ...options })
  const all = [first]
  const close = async () => void (await Promise.all(all.map((cluster) => cluster.close())))
  try {
    for (const other of others) all.push(await startOperatorCluster({ name: other, ...shared }))
  } catch (error) {
    await close()
    throw error
  }
  return {
    first,
    all,
    close,
    prepare: async (description) => {
      for (const cluster of all) await cluster.prepare(description)
    },
    environment: async (folder) => {
      const files: string[] = []
      for (const cluster of all)
        files.push(await writeKubeconfig(folder, cluster.name, cluster.programKubeconfig))
      return { KUBECONFIG: files[0] ?? '', CLUSTER_KUBECONFIGS: folder }
    },
  }
}
