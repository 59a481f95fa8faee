import { createServer, type IncomingMessage, type Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { PluginError } from '../../../engine/kube/error.js'
import { listenProblem } from '../../../engine/kube/listen-problem.js'
import type { Logger } from '../../../engine/observe/logger.js'
import { UpgradedResponse } from '../../hook/forward.js'
import type { Interceptors } from '../../hook/interceptors.js'
import { statusResponse } from '../../hook/status-response.js'
import { toRequest } from './to-request.js'
import { writeResponse, writeUpgrade } from './write-response.js'

/** Options of {@link serveInterceptors}. */
export interface ServeInterceptorsOptions {
  /** The port on loopback that vcluster has named. */
  port: number
  interceptors: Pick<Interceptors, 'handle'>
  logger: Logger
}

/** An interceptor server that listens. */
export interface InterceptorServer {
  /** Aborts running requests, and accepts no more. */
  close(): Promise<void>
}

/** The header with the interceptor's name; vcluster adds it after any header of the client with this name. */
const nameHeader = 'vcluster-plugin-handler-name'

/**
 * Serves a plugin's interceptors to the vcluster process over HTTP/1.1. Throws `PluginError` with code `CANNOT_LISTEN`
 * if it cannot listen. See `WithInterceptors` in `pkg/plugin/v2/plugin.go` @ v0.36.1 of vcluster.
 */
export async function serveInterceptors(options: ServeInterceptorsOptions): Promise<InterceptorServer> {
  const { port, logger } = options
  const server = createServer(limits)
  const tunnels = new Set<Duplex>()
  server.on('request', (message, response) => void answer(message, response, options))
  server.on('upgrade', (message, socket: Duplex, head: Buffer) => {
    tunnels.add(socket)
    socket.once('close', () => tunnels.delete(socket))
    socket.on('error', () => {})
    void answerUpgrade(message, { socket, head }, options)
  })
  await listen(server, port)
  logger.info({ port }, 'interceptors are served')
  return {
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      for (const socket of tunnels) socket.destroy()
      await closed
    },
  }
}

/** vcluster keeps idle connections for 90 s and must not meet one that is being closed; its own limits are Go's. */
const limits = { keepAliveTimeout: 120_000, requestTimeout: 0, maxHeaderSize: 1024 * 1024 }

async function answer(
  message: IncomingMessage,
  response: ServerResponse,
  options: ServeInterceptorsOptions,
): Promise<void> {
  const gone = new AbortController()
  response.once('close', () => gone.abort(new Error('the caller has gone')))
  await writeResponse(response, await responseTo(message, gone.signal, options))
}

async function answerUpgrade(
  message: IncomingMessage,
  { socket, head }: { socket: Duplex; head: Buffer },
  options: ServeInterceptorsOptions,
): Promise<void> {
  const gone = new AbortController()
  const leave = () => gone.abort(new Error('the caller has gone'))
  socket.once('close', leave)
  const response = await responseTo(message, gone.signal, options)
  if (response instanceof UpgradedResponse) return writeUpgrade(response, socket, head)
  const plain = new ServerResponse(message)
  plain.shouldKeepAlive = false
  plain.once('finish', () => socket.end())
  // The other end of the interface is a net.Socket, whatever its type says.
  plain.assignSocket(socket as Parameters<ServerResponse['assignSocket']>[0])
  await writeResponse(plain, response)
}

async function responseTo(
  message: IncomingMessage,
  signal: AbortSignal,
  { interceptors }: ServeInterceptorsOptions,
): Promise<Response> {
  const request = toRequest(message, signal)
  if (!request) return statusResponse(400, 'BadRequest', 'the request cannot be read without doubt')
  const name = message.headersDistinct[nameHeader]?.at(-1) ?? ''
  request.headers.delete(nameHeader)
  return interceptors.handle(name, request)
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => {
      const message = `cannot listen on 127.0.0.1:${port}, the port that vcluster chose for interceptors: ${listenProblem(cause)}; stop the program that listens there`
      reject(new PluginError('CANNOT_LISTEN', message, { cause }))
    })
    server.listen(port, '127.0.0.1', resolve)
  })
}
