import { createApiServer } from '../../apiserver/api-server.js'
import type { Client } from '../../client/client.js'
import { createClient } from '../../client/create-client.js'
import { namespaces, services } from '../../kube/builtin.js'
import { PluginError } from '../../kube/error.js'
import { inProcessTransport } from '../../testing/in-process-transport.js'
import type { Transport } from '../../transport/transport.js'

/** An embedded cluster as `dev` uses it: by function calls here, by sockets from everywhere else. */
export interface DevCluster {
  /** Where its API server listens. */
  url: string
  /** Text of a kubeconfig with every right. */
  kubeconfig: string
  transport: Transport
  client: Client
}

/** Options of {@link startCluster}. */
export interface StartClusterOptions {
  name: 'virtual' | 'host'
  /** The port of its API server; 0 takes a free one. */
  port: number
}

/** Starts an embedded cluster. Throws a `PluginError` `ADDRESS_IN_USE` if its port is taken. */
export async function startCluster({ name, port }: StartClusterOptions): Promise<DevCluster> {
  const server = await createApiServer({ name })
  const url = await server.listen({ port }).catch((error) => {
    throw cannotListen(name, port, error)
  })
  const transport = inProcessTransport(server)
  const client = createClient({ transport, fieldManager: 'vcluster-plugin-dev' })
  return { url, kubeconfig: await server.kubeconfig(), transport, client }
}

/** Makes in the host cluster what the chart of a vcluster makes there: its namespace and its Service. */
export async function installVCluster(
  { client }: DevCluster,
  name: string,
  namespace: string,
): Promise<void> {
  await client.create(namespaces, { metadata: { name: namespace } })
  const spec = { ports: [{ name: 'https', port: 443, targetPort: 8443 }] }
  await client.create(services, { metadata: { name, namespace }, spec })
}

function cannotListen(name: string, port: number, error: unknown): unknown {
  const { cause } = Object(error)
  if (!(error instanceof Error) || cause?.code !== 'EADDRINUSE') return error
  const message = `port ${port} for the ${name} cluster is taken; stop what listens there or give --${name}-port another`
  return new PluginError('ADDRESS_IN_USE', message, { cause: error })
}
