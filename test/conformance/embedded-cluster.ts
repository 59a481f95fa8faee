import { createApiServer } from '../../apiserver/api-server.js'
import type { ApiRequest } from '../../apiserver/request/request.js'
import type { ApiServerOptions } from '../../apiserver/server/options.js'
import { answerOf } from './answer.js'
import type { Call, ClusterUnderTest } from './cluster-under-test.js'
import { eventStream } from './event-stream.js'
import { httpsCluster } from './https-cluster.js'

/** The embedded server, called in process. */
export async function embeddedCluster(options: ApiServerOptions = {}): Promise<ClusterUnderTest> {
  const server = await createApiServer({ authorization: 'rbac', ...options })
  return {
    name: 'embedded',
    version: 'v1.36.3',
    hasControllerManager: options.controllers ?? true,
    request: async (call) => {
      const { status, headers, body } = await server.handle(requestOf(call))
      return answerOf(status, headers, body instanceof Uint8Array ? body : await collect(body))
    },
    watch: async (path, headers = {}) => {
      const ending = new AbortController()
      const answer = await server.handle({ method: 'GET', path, headers, signal: ending.signal })
      if (answer.body instanceof Uint8Array) throw notAWatch(path, answer.status, answer.body)
      return eventStream(answer.body, () => ending.abort())
    },
    close: () => server.close(),
  }
}

/** The embedded server, called over a socket. */
export async function embeddedHttpsCluster(options: ApiServerOptions = {}): Promise<ClusterUnderTest> {
  const server = await createApiServer({ authorization: 'rbac', ...options })
  await server.listen()
  const cluster = await httpsCluster({
    name: 'embedded over HTTPS',
    kubeconfig: await server.kubeconfig(),
    hasControllerManager: options.controllers ?? true,
  })
  const close = async () => {
    await cluster.close()
    await server.close()
  }
  return { ...cluster, close }
}

function requestOf({ method, path, headers = {}, body, asAdministrator = true }: Call): ApiRequest {
  // In process, a request without `authorization` is from the administrator; an empty value is rejected.
  const known = asAdministrator ? headers : { authorization: '', ...headers }
  return { method, path, headers: known, ...(body === undefined ? {} : { body }) }
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const collected: Uint8Array[] = []
  for await (const chunk of chunks) collected.push(chunk)
  return Buffer.concat(collected)
}

function notAWatch(path: string, status: number, body: Uint8Array): Error {
  return new Error(
    `${path} did not start a watch but answered ${status}: ${Buffer.from(body).toString('utf8')}`,
  )
}
