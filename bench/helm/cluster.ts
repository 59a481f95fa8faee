import type { Client } from '../../sdk/engine/client/client.js'
import { createClient } from '../../sdk/engine/client/create-client.js'
import { namespaces } from '../../sdk/engine/kube/builtin.js'
import { createTransport } from '../../sdk/engine/transport/create-transport.js'
import { loadKubeconfig } from '../../sdk/engine/transport/load-kubeconfig.js'
import type { Transport } from '../../sdk/engine/transport/transport.js'
import { type RealCluster, type RealClusterOptions, startRealCluster } from '../../test/real/real-cluster.js'
import { countsSince, requestCounts } from '../../test/real/request-counts.js'

/** A control plane of its own. */
export interface BenchCluster {
  readonly cluster: RealCluster
  readonly transport: Transport
  readonly client: Client
  /** Begins to count the writes of all clients. The answer counts those until it is called, without Leases. */
  countWrites(): Promise<() => Promise<number>>
}

/**
 * Runs `use` with a cluster that has the namespace `bench`, without a kube-controller-manager unless it is asked for.
 */
export async function withCluster<T>(
  { controllerManager = false }: Pick<RealClusterOptions, 'controllerManager'>,
  use: (cluster: BenchCluster) => Promise<T>,
): Promise<T> {
  const cluster = await startRealCluster({ durable: true, controllerManager })
  try {
    const transport = createTransport({ kubeconfig: await loadKubeconfig({ text: cluster.kubeconfig }) })
    try {
      const client = createClient({ transport })
      await client.create(namespaces, { metadata: { name: namespace } })
      return await use({ cluster, transport, client, countWrites: () => countWrites(transport) })
    } finally {
      await transport.close()
    }
  } finally {
    await cluster.stop()
  }
}

/** The namespace of all releases. */
export const namespace = 'bench'

const write = /^(POST|PUT|PATCH|APPLY|DELETE|DELETECOLLECTION) (?!leases$)/

async function countWrites(transport: Transport): Promise<() => Promise<number>> {
  const before = await requestCounts(transport)
  return async () => {
    const counts = Object.entries(countsSince(before, await requestCounts(transport)))
    return counts.filter(([id]) => write.test(id)).reduce((sum, [, count]) => sum + count, 0)
  }
}
