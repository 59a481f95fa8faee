import { type ApiServer, createApiServer } from '../../apiserver/api-server.js'
import type { ApiServerOptions } from '../../apiserver/server/options.js'
import { inProcessTransport } from '../../simulator/in-process-transport.js'
import type { VirtualClock } from '../clock/virtual-clock.js'
import { RealTimeWork } from './real-time-work.js'
import type { OperatorEnvironment, RunClusters, TestCluster } from './test-environment.js'

/**
 * In one process, requests and events travel by promises and immediates. A pending change therefore shows within a few
 * turns of the event loop.
 */
const quietTicks = 25

/** The embedded clusters of one run, by name. */
export interface EmbeddedRun extends RunClusters {
  readonly byName: Readonly<Record<string, TestCluster & { readonly server: ApiServer }>>
}

/** Creates embedded clusters in this process, in virtual time. The same names give the same UIDs. */
export async function openEmbeddedRun(names: readonly string[], clock: VirtualClock): Promise<EmbeddedRun> {
  const servers = await Promise.all(
    names.map(async (name, i) => [name, await emptyServer({ name, seed: i + 1, clock })] as const),
  )
  const work = new RealTimeWork()
  return {
    byName: Object.fromEntries(servers.map(([name, server]) => [name, embeddedCluster(server)])),
    // One turn of the event loop, or more while a file is read or a module is imported, which take real time.
    tick: async () => {
      do await new Promise((resolve) => setImmediate(resolve))
      while (work.isPending())
    },
    quietTicks,
    close: async () => {
      await Promise.all(servers.map(([, server]) => server.close()))
    },
  }
}

/**
 * A cluster that only has its namespaces. Otherwise syncers would also copy the objects that a kube-apiserver creates
 * for itself.
 */
async function emptyServer(options: ApiServerOptions): Promise<ApiServer> {
  const server = await createApiServer(options)
  for (const path of ownObjects) await server.handle({ method: 'DELETE', path })
  return server
}

const ownObjects = [
  '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication',
  '/api/v1/namespaces/default/services/kubernetes',
  '/api/v1/namespaces/default/endpoints/kubernetes',
  '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes',
]

/** Embedded clusters in this process for each run of an operator's scenario. */
export const embeddedOperatorClusters: OperatorEnvironment = { open: openEmbeddedRun }

function embeddedCluster(server: ApiServer): TestCluster & { readonly server: ApiServer } {
  return {
    connect: () => inProcessTransport(server),
    get revision() {
      return server.resourceVersion
    },
    compact: () => server.compact(),
    server,
  }
}
