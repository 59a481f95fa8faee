import { access } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from '../engine/observe/logger.js'
import type { Metrics } from '../engine/observe/metrics.js'
import type { Clock } from '../engine/time/clock.js'
import { createTransport } from '../engine/transport/create-transport.js'
import { loadDefaultKubeconfig } from '../engine/transport/default-kubeconfig.js'
import type { Kubeconfig } from '../engine/transport/kubeconfig.js'
import { loadKubeconfig } from '../engine/transport/load-kubeconfig.js'
import { formatUserAgent } from '../engine/transport/user-agent.js'
import { mainCluster } from './main-cluster.js'
import type { ClusterAddress, OpenedClusters } from './operator-options.js'

/** Options of {@link openClusters}. */
export interface OpenClustersOptions {
  /** The name of the operator, for the User-Agent. */
  name: string
  clusters?: Readonly<Record<string, ClusterAddress>> | undefined
  env: Readonly<Record<string, string | undefined>>
  logger: Logger
  metrics: Metrics
  clock: Clock
}

/** Reads the kubeconfigs and makes the transports; nothing is connected before the first call. */
export async function openClusters(options: OpenClustersOptions): Promise<OpenedClusters> {
  const { name, clusters = { [mainCluster]: {} }, env, ...observed } = options
  const kubeconfigs = await Promise.all(
    Object.entries(clusters).map(
      async ([cluster, address]) =>
        [cluster, await readKubeconfig((await deployedAddress(cluster, env)) ?? address, env)] as const,
    ),
  )
  const transports = kubeconfigs.map(
    ([cluster, kubeconfig]) =>
      [
        cluster,
        createTransport({ kubeconfig, cluster, userAgent: formatUserAgent(name), ...observed }),
      ] as const,
  )
  return { transports: new Map(transports), namespace: kubeconfigs[0]?.[1].namespace }
}

/**
 * The kubeconfig of a deployment: `<cluster>.kubeconfig` in the folder that `CLUSTER_KUBECONFIGS` names. Undefined if
 * there is none; then the address in the code counts.
 */
async function deployedAddress(
  cluster: string,
  { CLUSTER_KUBECONFIGS: folder }: OpenClustersOptions['env'],
): Promise<ClusterAddress | undefined> {
  if (!folder) return undefined
  const kubeconfig = join(folder, `${cluster}.kubeconfig`)
  return access(kubeconfig).then(
    () => ({ kubeconfig }),
    () => undefined,
  )
}

function readKubeconfig(
  { kubeconfig: file, context }: ClusterAddress,
  env: OpenClustersOptions['env'],
): Promise<Kubeconfig> {
  const contextOption = context === undefined ? {} : { context }
  return file === undefined
    ? loadDefaultKubeconfig({ env, ...contextOption })
    : loadKubeconfig({ file, ...contextOption })
}
