import type { IncomingMessage } from 'node:http'
import { Agent, request as httpsRequest } from 'node:https'
import { setTimeout } from 'node:timers/promises'
import { parse } from 'yaml'
import { answerOf } from './answer.js'
import type { Answer, Call, ClusterUnderTest } from './cluster-under-test.js'
import { eventStream } from './event-stream.js'

/** The cluster of {@link httpsCluster}. */
export interface HttpsClusterOptions {
  readonly name: string
  /** A kubeconfig with one cluster and one user with a client certificate, both inline. */
  readonly kubeconfig: string
  readonly hasControllerManager: boolean
}

interface InlineKubeconfig {
  clusters: [{ cluster: { server: string; 'certificate-authority-data': string } }]
  users: [{ user: { 'client-certificate-data': string; 'client-key-data': string } }]
}

/** An API server by its kubeconfig, over HTTP/1.1 and TLS. */
export async function httpsCluster(options: HttpsClusterOptions): Promise<ClusterUnderTest> {
  const config: InlineKubeconfig = parse(options.kubeconfig)
  const [{ cluster }] = config.clusters
  const [{ user }] = config.users
  const ca = fromBase64(cluster['certificate-authority-data'])
  const cert = fromBase64(user['client-certificate-data'])
  const key = fromBase64(user['client-key-data'])
  const administrator = new Agent({ ca, cert, key, keepAlive: true, maxSockets: 64 })
  const anonymous = new Agent({ ca, keepAlive: true })
  const send = (call: Call) =>
    open(cluster.server, call.asAdministrator === false ? anonymous : administrator, call)
  const request = (call: Call) => untilReady(async () => readAnswer(await send(call)))
  const { body } = await request({ method: 'GET', path: '/version' })
  return {
    name: options.name,
    version: String(body.gitVersion),
    hasControllerManager: options.hasControllerManager,
    request,
    watch: async (path, headers) => {
      const response = await send({ method: 'GET', path, headers })
      if (response.statusCode === 200) return eventStream(bytesOf(response), () => response.destroy())
      throw new Error(`${path} did not start a watch: ${(await readAnswer(response)).text}`)
    },
    close: async () => {
      administrator.destroy()
      anonymous.destroy()
    },
  }
}

/**
 * Repeats a call that the server asks to repeat. A kube-apiserver answers so, with `apiserver is shutting down`, if a
 * definition changes at the same time: its status is updated several times after the resource is first served.
 * Source: k8s.io/apiserver pkg/server/filters/waitgroup.go @ v0.36.3.
 */
async function untilReady(call: () => Promise<Answer>, attempts = 10): Promise<Answer> {
  const answer = await call()
  const seconds = Number(answer.headers['retry-after'])
  if (answer.status !== 503 || !(seconds > 0) || attempts === 1) return answer
  await setTimeout(seconds * 1000)
  return untilReady(call, attempts - 1)
}

const fromBase64 = (text: string) => Buffer.from(text, 'base64').toString('utf8')

function open(server: string, agent: Agent, { method, path, headers, body }: Call): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const target = new URL(server)
    const { hostname, port } = target
    const call = httpsRequest({ hostname, port, path, agent, method, headers: { ...headers, ...length } })
    call.once('error', reject)
    call.once('response', resolve)
    call.end(body)
  })
}

async function readAnswer(response: IncomingMessage): Promise<Answer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of response as AsyncIterable<Uint8Array>) chunks.push(chunk)
  const headers = Object.entries(response.headers).map(([name, value]) => [name, String(value)])
  return answerOf(response.statusCode ?? 0, Object.fromEntries(headers), Buffer.concat(chunks))
}

async function* bytesOf(response: IncomingMessage): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of response as AsyncIterable<Uint8Array>) yield chunk
  } catch (error) {
    // Closing a watch destroys its response, and Node reports that to the reader.
    if (!response.destroyed) throw error
  }
}
