import { type ApiServer, createApiServer } from '../../apiserver/api-server.js'
import type { FaultedRequest } from '../../apiserver/faults/fault-match.js'
import type { Client } from '../../sdk/engine/client/client.js'
import { createClient } from '../../sdk/engine/client/create-client.js'
import { customResourceDefinitions } from '../../sdk/engine/kube/builtin.js'
import { PluginError } from '../../sdk/engine/kube/error.js'
import type { Transport } from '../../sdk/engine/transport/transport.js'
import type { OperatorDescription } from '../../sdk/operator/describe/operator-description.js'
import { inProcessTransport } from '../../simulator/in-process-transport.js'
import { serveDefinitions } from '../../testing/operator/serve-definitions.js'
import { operatorPermissions } from '../roles/operator-permissions.js'
import { roleObjects } from '../roles/role-objects.js'
import { shellWord } from '../terminal/shell-word.js'
import type { ClusterFacts } from './cluster-facts.js'
import type { ClusterOptions } from './cluster-options.js'
import { addFaults, pluginUser } from './faults.js'
import { keepState } from './kept-state.js'
import { writeKubeconfig } from './kubeconfigs.js'
import { RoleGrants, roleName } from './role-grants.js'

/** An embedded cluster for an operator. */
export interface OperatorCluster extends ClusterFacts {
  /** The name of the cluster in the operator. */
  readonly name: string
  /** The operator's kubeconfig, as text. */
  programKubeconfig: string
  transport: Transport
  client: Client
  /**
   * Installs the definitions of the operator's kinds in this cluster, and grants exactly the permissions that `rbac`
   * prints.
   */
  prepare(description: OperatorDescription): Promise<void>
  close(): Promise<void>
}

/** Options of {@link startOperatorCluster}. */
export interface DevOperatorClusterOptions
  extends Pick<ClusterOptions, 'dir' | 'faults' | 'asAdmin' | 'hostPort' | 'state'> {
  name: string
  /** The `host:port` of the operator's webhooks, whose Service is the only one; default none. */
  webhookAddress?: string | undefined
  /** Called with each request of the operator, and the name of the cluster. */
  onRequest?: (request: FaultedRequest, cluster: string) => void
}

/** Starts the cluster in this process. Throws a `PluginError` `CANNOT_LISTEN` or `CANNOT_WRITE`. */
export async function startOperatorCluster(options: DevOperatorClusterOptions): Promise<OperatorCluster> {
  const { name, dir, state, asAdmin } = options
  const server = await startServer(options)
  const keptState = state === undefined ? undefined : await keepState(server, state, name)
  const url = await listen(server, options.hostPort)
  const file = await writeKubeconfig(dir, name, await server.kubeconfig())
  const transport = inProcessTransport(server)
  const client = createClient({ transport, fieldManager: 'vcluster-plugin-dev' })
  const grants = new RoleGrants(client)
  return {
    name,
    url,
    source: file,
    kubectl: `kubectl --kubeconfig ${shellWord(file)}`,
    transport,
    client,
    programKubeconfig: await server.kubeconfig({ user: pluginUser, ...(!asAdmin && { groups: [] }) }),
    async prepare(description) {
      await installKinds(client, description, name)
      if (!asAdmin) await grants.grant(rolesOf(description, name))
    },
    async close() {
      await keptState?.close()
      await server.close()
    },
  }
}

/** The API server, which does not listen yet, with the faults and the observer of the operator's requests. */
async function startServer({
  name,
  faults,
  asAdmin,
  webhookAddress,
  onRequest,
}: DevOperatorClusterOptions): Promise<ApiServer> {
  const server = await createApiServer({
    name,
    resolveService: () => webhookAddress,
    ...(!asAdmin && { authorization: 'rbac' }),
  })
  addFaults(server.faults, faults)
  if (onRequest) observeRequests(server, (request) => onRequest(request, name))
  return server
}

/** Adds a fault rule that looks at the requests of the operator and applies to none. */
function observeRequests(server: ApiServer, onRequest: (request: FaultedRequest) => void): void {
  const where = (request: FaultedRequest) => {
    onRequest(request)
    return false
  }
  server.faults.add({ user: pluginUser, where }, { type: 'delay', delayMs: 0 })
}

/** Creates or updates the definitions; the objects of a kind stay. */
async function installKinds(client: Client, { kinds }: OperatorDescription, name: string): Promise<void> {
  const definitions = kinds.filter(({ cluster }) => cluster === name).map(({ definition }) => definition)
  await serveDefinitions(client, definitions)
  for (const { metadata, spec } of definitions)
    await client.patch(
      customResourceDefinitions,
      { namespace: '', name: metadata.name ?? '' },
      { type: 'merge', body: { spec } },
    )
}

function rolesOf(description: OperatorDescription, cluster: string) {
  return roleObjects(operatorPermissions(description, cluster), { name: roleName, side: 'host' })
}

async function listen(server: ApiServer, port: number): Promise<string> {
  return server.listen({ port }).catch((error: unknown) => {
    const { cause } = Object(error)
    if (cause?.code !== 'EADDRINUSE') throw error
    const message = `port ${port} for the cluster is in use; stop the program that listens on it, or choose another port with --host-port`
    throw new PluginError('CANNOT_LISTEN', message, { cause: error })
  })
}
