import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ApiServer, createApiServer } from '../../apiserver/api-server.js'
import type { ApiServerOptions } from '../../apiserver/server/options.js'
import type { Client } from '../../sdk/engine/client/client.js'
import { createClient } from '../../sdk/engine/client/create-client.js'
import { inProcessTransport } from '../in-process-transport.js'
import { prepareHost } from '../prepare-host.js'
import { startVClusterWithPlugins, type VClusterWithPlugins } from './vcluster-with-plugins.js'
import type { VClusterWithPluginsOptions } from './vcluster-with-plugins-options.js'

/** Options of {@link startEmbeddedVCluster}. */
export interface EmbeddedVClusterOptions
  extends Omit<
    VClusterWithPluginsOptions,
    'virtualKubeconfigFile' | 'hostKubeconfig' | 'currentNamespace' | 'targetNamespace'
  > {
  /** The authorization in the virtual cluster; default everything is allowed. */
  authorization?: NonNullable<ApiServerOptions['authorization']>
  /** Creates objects before the plugins start; default none. */
  before?: (clusters: { virtual: Client; host: Client }) => Promise<unknown>
}

/** A simulated vcluster with plugins inside its container, and both of its clusters in this process. */
export interface EmbeddedVCluster {
  /** The simulated vcluster process. It is the leader. */
  readonly vcluster: VClusterWithPlugins
  /** A client of the virtual cluster's API server, past the interceptors. */
  readonly virtual: Client
  /** A client of the host cluster, as its administrator. */
  readonly host: Client
  readonly virtualServer: ApiServer
  readonly hostServer: ApiServer
  /** The host namespace of the copies. */
  readonly targetNamespace: string
  /** Ends the plugins, the vcluster process and both clusters. */
  stop(): Promise<void>
}

/**
 * Starts two embedded clusters and a simulated vcluster between them, which starts each plugin in a process of its own,
 * as vcluster does in its container. Rejects as {@link startVClusterWithPlugins} does.
 *
 * @example
 * ```ts
 * const { virtual, vcluster, stop } = await startEmbeddedVCluster({ programs: ['dist/my-plugin/plugin'] })
 * await vcluster.plugins[0]?.program.line('started')
 * await virtual.create(configMaps, { metadata: { namespace: 'default', name: 'greeting' } })
 * await stop()
 * ```
 */
export async function startEmbeddedVCluster(options: EmbeddedVClusterOptions): Promise<EmbeddedVCluster> {
  const { name = 'vcluster', authorization, before = async () => {} } = options
  const targetNamespace = `vcluster-${name}`
  const virtualServer = await createApiServer({ name: 'virtual', ...(authorization && { authorization }) })
  const hostServer = await createApiServer({ name: 'host' })
  const folder = await mkdtemp(join(tmpdir(), 'vcluster-'))
  let vcluster: VClusterWithPlugins | undefined
  const stop = () => stopAll(vcluster, { servers: [virtualServer, hostServer], folder })
  try {
    await Promise.all([virtualServer.listen(), hostServer.listen()])
    const virtualKubeconfigFile = join(folder, 'virtual.kubeconfig')
    await writeFile(virtualKubeconfigFile, await virtualServer.kubeconfig())
    const host = createClient({ transport: inProcessTransport(hostServer) })
    await prepareHost(host, { vclusterName: name, targetNamespace, hasService: true })
    const virtual = createClient({ transport: inProcessTransport(virtualServer) })
    await before({ virtual, host })
    const hostKubeconfig = await hostServer.kubeconfig()
    vcluster = await startVClusterWithPlugins({ ...options, virtualKubeconfigFile, hostKubeconfig })
    await vcluster.lead()
    return { vcluster, virtual, host, virtualServer, hostServer, targetNamespace, stop }
  } catch (error) {
    // The first failure is the one to report.
    await stop().catch(() => {})
    throw error
  }
}

async function stopAll(
  vcluster: VClusterWithPlugins | undefined,
  { servers, folder }: { servers: readonly ApiServer[]; folder: string },
): Promise<void> {
  try {
    await vcluster?.stop()
  } finally {
    await Promise.all([...servers.map((server) => server.close()), rm(folder, { recursive: true })])
  }
}
