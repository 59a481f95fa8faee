import { type ApiServer, createApiServer } from '../../apiserver/api-server.js'
import type { Intercept } from '../../apiserver/listeners/https-listener.js'
import { createClient } from '../../sdk/engine/client/create-client.js'
import { PluginError } from '../../sdk/engine/kube/error.js'
import type { Side } from '../../sdk/vcluster/context/register-context.js'
import { inProcessTransport } from '../../simulator/in-process-transport.js'
import { prepareHost } from '../../simulator/prepare-host.js'
import { shellWord } from '../terminal/shell-word.js'
import type { ClusterOptions } from './cluster-options.js'
import type { DevCluster, DevClusters } from './clusters.js'
import { addFaults, pluginUser } from './faults.js'
import { keepState } from './kept-state.js'
import { writeKubeconfig } from './kubeconfigs.js'
import { PluginPermissions } from './plugin-permissions.js'

/**
 * Starts both clusters in this process, with the objects that vcluster's chart creates on the host. Throws a
 * `PluginError` `CANNOT_LISTEN` or `CANNOT_WRITE`.
 */
export async function startEmbeddedClusters(options: ClusterOptions): Promise<DevClusters> {
  const { vclusterName, targetNamespace, mode, asAdmin } = options
  const [virtual, host] = await Promise.all([
    startEmbeddedCluster('virtual', options),
    startEmbeddedCluster('host', options),
  ])
  const rights = new PluginPermissions({ client: host.client, targetNamespace, mode })
  return {
    virtual,
    host,
    targetNamespace,
    async prepare() {
      await prepareHost(host.client, { vclusterName, targetNamespace, hasService: true })
      return undefined
    },
    ...(!asAdmin && { grant: (description) => rights.grant(description) }),
  }
}

/** Starts one cluster. This process calls it in process; other processes use its port. */
export async function startEmbeddedCluster(
  name: Side,
  options: Omit<ClusterOptions, 'vclusterName' | 'targetNamespace'>,
): Promise<DevCluster> {
  const { dir, state, faults, asAdmin } = options
  // In the virtual cluster a plugin is an administrator, as in a real vcluster.
  const isRestricted = name === 'host' && !asAdmin
  const server = await createApiServer({ name, ...(isRestricted && { authorization: 'rbac' }) })
  const keptState = state === undefined ? undefined : await keepState(server, state, name)
  const { url, ...behind } = await listen(server, name, options)
  const file = await writeKubeconfig(dir, name, await server.kubeconfig({ url }))
  const pluginKubeconfig = await server.kubeconfig({ user: pluginUser, ...(isRestricted && { groups: [] }) })
  const ownKubeconfig = await server.kubeconfig({ user: 'vcluster' })
  addFaults(server.faults, faults)
  const transport = inProcessTransport(server)
  const client = createClient({ transport, fieldManager: 'vcluster-plugin-dev' })
  const facts = { url, source: file, kubectl: `kubectl --kubeconfig ${shellWord(file)}` }
  const save = keptState && { save: () => keptState.close() }
  return { ...facts, ...behind, ...save, isReal: false, pluginKubeconfig, ownKubeconfig, transport, client }
}

/** In-syncer plugins may have interceptors: they see requests of users first, but not requests of the plugin. */
async function listen(
  server: ApiServer,
  name: Side,
  { virtualPort, hostPort, mode }: Pick<ClusterOptions, 'virtualPort' | 'hostPort' | 'mode'>,
): Promise<Pick<DevCluster, 'url' | 'interceptBy'>> {
  const port = name === 'virtual' ? virtualPort : hostPort
  const fail = (error: unknown) => {
    throw cannotListen(name, port, error)
  }
  if (name === 'host' || mode !== 'in-syncer') return { url: await server.listen({ port }).catch(fail) }
  let intercept: Intercept = () => false
  const url = await server.listenBehind((...request) => intercept(...request), { port }).catch(fail)
  await server.listen()
  return {
    url,
    interceptBy: (by) => {
      intercept = by
    },
  }
}

function cannotListen(name: string, port: number, error: unknown): unknown {
  const { cause } = Object(error)
  if (!(error instanceof Error) || cause?.code !== 'EADDRINUSE') return error
  const message = `port ${port} for the ${name} cluster is in use; stop the program that listens on it, or choose another port with --${name}-port`
  return new PluginError('CANNOT_LISTEN', message, { cause: error })
}
