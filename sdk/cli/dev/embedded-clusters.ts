import { type ApiServer, createApiServer } from '../../apiserver/api-server.js'
import { createClient } from '../../client/create-client.js'
import { PluginError } from '../../kube/error.js'
import { inProcessTransport } from '../../testing/in-process-transport.js'
import { prepareHost } from '../../testing/prepare-host.js'
import type { DevCluster, DevClusters } from './clusters.js'
import { addFaults, pluginUser } from './dev-faults.js'
import type { DevOptions } from './dev-options.js'
import { writeKubeconfigs } from './kubeconfigs.js'

/** What {@link startEmbeddedClusters} goes by. */
export type EmbeddedClustersOptions = Pick<
  DevOptions,
  'virtualPort' | 'hostPort' | 'dir' | 'vclusterName' | 'targetNamespace' | 'faults'
>

/**
 * Starts both clusters in this process, with what the chart of a vcluster makes in the host cluster. Throws a `PluginError`
 * `ADDRESS_IN_USE` or `CANNOT_WRITE`.
 */
export async function startEmbeddedClusters(options: EmbeddedClustersOptions): Promise<DevClusters> {
  const { virtualPort, hostPort, dir, vclusterName, targetNamespace } = options
  const [virtual, host] = await Promise.all([
    startServer('virtual', virtualPort),
    startServer('host', hostPort),
  ])
  const files = await writeKubeconfigs(dir, {
    virtual: await virtual.kubeconfig(),
    host: await host.kubeconfig(),
  })
  const clusters = {
    virtual: await clusterOf(virtual, files.virtual),
    host: await clusterOf(host, files.host),
    targetNamespace,
  }
  await prepareHost(clusters.host.client, { vclusterName, targetNamespace, hasService: true })
  for (const { faults } of [virtual, host]) addFaults(faults, options.faults)
  return clusters
}

async function startServer(name: 'virtual' | 'host', port: number): Promise<ApiServer> {
  const server = await createApiServer({ name })
  await server.listen({ port }).catch((error) => {
    throw cannotListen(name, port, error)
  })
  return server
}

/** By function calls here, by sockets from everywhere else. */
async function clusterOf(server: ApiServer, kubeconfig: string): Promise<DevCluster> {
  const transport = inProcessTransport(server)
  const client = createClient({ transport, fieldManager: 'vcluster-plugin-dev' })
  const pluginKubeconfig = await server.kubeconfig({ user: pluginUser })
  return { url: server.url, kubeconfig, pluginKubeconfig, transport, client }
}

function cannotListen(name: string, port: number, error: unknown): unknown {
  const { cause } = Object(error)
  if (!(error instanceof Error) || cause?.code !== 'EADDRINUSE') return error
  const message = `port ${port} for the ${name} cluster is taken; stop what listens there or give --${name}-port another`
  return new PluginError('ADDRESS_IN_USE', message, { cause: error })
}
