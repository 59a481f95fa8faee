/**
 * A gRPC server on Node's HTTP/2: calls with one request and one response, and calls that send messages until the
 * caller ends them. It listens on an address or a socket file, or takes connections that another listener has
 * accepted. Messages are not compressed.
 *
 * `remote/` and `cnpg/server/` serve plugins with it. See
 * https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md.
 */
import {
  createServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2'
import type { AddressInfo, ListenOptions } from 'node:net'
import type { Duplex } from 'node:stream'
import { type Clock, systemClock } from '../time/clock.js'
import { GrpcError } from './grpc-error.js'
import { ServerCall } from './server-call.js'
import {
  type Method,
  type MethodDefinition,
  methodsOf,
  type RequestOf,
  type ResponseOf,
  type ServiceDefinition,
} from './service.js'
import { GrpcStatus } from './status.js'

/** Options of {@link GrpcServer}. */
export interface GrpcServerOptions {
  /** Larger requests are refused with `RESOURCE_EXHAUSTED` before they are read. */
  maxRequestBytes: number
}

/** A call, for its method. */
export interface GrpcCall {
  /** Aborted when the caller no longer waits; its reason is a {@link GrpcError}. */
  readonly signal: AbortSignal
}

/** A call that sends messages until the caller ends it. */
interface GrpcStream<Response> extends GrpcCall {
  /** Tells the caller that the call is served, before the first message. */
  open(): void
  send(response: Response): void
}

/** A method in bytes. A {@link GrpcError} that it throws is the answer; any other error is answered as `UNKNOWN`. */
export type BytesMethod = (request: Buffer, call: GrpcCall) => Uint8Array | Promise<Uint8Array>

/** The implementation of a method. One whose requests are a stream gets none of them. */
type Implementation<M extends MethodDefinition> = M extends { requestStream: true }
  ? (request: undefined, stream: GrpcStream<ResponseOf<M>>) => void
  : M extends { responseStream: true }
    ? (request: RequestOf<M>, stream: GrpcStream<ResponseOf<M>>) => void
    : (request: RequestOf<M>, call: GrpcCall) => ResponseOf<M> | Promise<ResponseOf<M>>

/** The implementations of a service's methods. The others answer `UNIMPLEMENTED`. */
export type Implementations<S extends ServiceDefinition> = {
  readonly [Name in keyof S['methods']]?: Implementation<S['methods'][Name]>
}

type Handler = (call: ServerCall) => void

/** The most calls at a time on one connection. */
const maxConcurrentStreams = 1000

/**
 * A gRPC server.
 *
 * @example
 * ```ts
 * const server = new GrpcServer({ maxRequestBytes: 4 * 2 ** 20 })
 * server.serve(HealthDefinition, { check: () => ({ status: ServingStatus.SERVING }) })
 * const { port } = await server.listen({ host: '127.0.0.1', port: 0 })
 * ```
 */
export class GrpcServer {
  readonly #maxRequestBytes: number
  readonly #handlers = new Map<string, Handler>()
  readonly #sockets = new Set<Duplex>()
  readonly #sessions = new Set<ServerHttp2Session>()
  #isClosed = false
  readonly #server = createServer({
    settings: { maxConcurrentStreams },
    // The requests of all calls on a connection; Node would refuse calls while they have more than 10 MB.
    maxSessionMemory: Number.MAX_SAFE_INTEGER,
    // Details in trailers may be long.
    maxSendHeaderBlockLength: Number.MAX_SAFE_INTEGER,
  })

  constructor({ maxRequestBytes }: GrpcServerOptions) {
    this.#maxRequestBytes = maxRequestBytes
    this.#server.on('connection', (socket: Duplex) => this.#addSocket(socket))
    this.#server.on('session', (session) => this.#addSession(session))
    this.#server.on('stream', (stream, headers) => this.#call(stream, headers))
  }

  /** Serves the methods of a service. */
  serve<S extends ServiceDefinition>(service: S, implementations: Implementations<S>): void {
    const methods: Readonly<Record<string, Method<unknown, unknown>>> = methodsOf(service)
    for (const [name, method] of Object.entries(methods)) {
      const implementation = implementations[name] as GeneralImplementation | undefined
      if (implementation) this.#handlers.set(method.path, handlerOf(method, implementation))
    }
  }

  /** Serves one method in bytes, by its path: `/grpc.health.v1.Health/Check`. */
  serveBytes(path: string, method: BytesMethod): void {
    this.#handlers.set(path, bytesHandler(method))
  }

  /** Listens on a host and port, or on a socket file. Rejects with Node's error. */
  listen(options: Pick<ListenOptions, 'host' | 'port' | 'path'>): Promise<{ readonly port: number }> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(options, () => {
        this.#server.off('error', reject)
        if (this.#isClosed) {
          this.#server.close()
          return reject(new Error('the server was closed before it listened'))
        }
        const address = this.#server.address() as AddressInfo | string
        resolve({ port: typeof address === 'string' ? 0 : address.port })
      })
    })
  }

  /** Serves a connection that another listener has accepted. */
  accept(connection: Duplex): void {
    this.#server.emit('connection', connection)
  }

  /** Takes no more connections and calls. Resolves when the calls under way have ended, or were ended after a time. */
  async close({ graceMs, clock = systemClock }: { graceMs: number; clock?: Clock }): Promise<void> {
    this.#isClosed = true
    if (this.#server.listening) this.#server.close()
    const sockets = [...this.#sockets]
    const closed = sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve)))
    for (const session of this.#sessions) session.close()
    // A closed session waits for the other side to close the connection.
    const cancel = clock.schedule(graceMs, () => {
      for (const socket of sockets) socket.destroy()
    })
    await Promise.all(closed)
    cancel()
  }

  #addSocket(socket: Duplex): void {
    if (this.#isClosed) return void socket.destroy()
    if (socket.destroyed) return
    this.#sockets.add(socket)
    socket.once('close', () => this.#sockets.delete(socket))
  }

  #addSession(session: ServerHttp2Session): void {
    // The end of a connection ends its calls; without a listener an error would end the process.
    session.on('error', () => {})
    this.#sessions.add(session)
    session.once('close', () => this.#sessions.delete(session))
  }

  #call(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
    const call = new ServerCall(stream, this.#maxRequestBytes)
    if (!call.accept(headers)) return
    const handler = this.#handlers.get(String(headers[':path']))
    if (handler) handler(call)
    else call.fail(new GrpcError(GrpcStatus.UNIMPLEMENTED, `there is no method ${String(headers[':path'])}`))
  }
}

type GeneralImplementation = (request: unknown, call: GrpcStream<unknown>) => unknown

/** Decodes the request of a method, and sends what its implementation returns. */
function handlerOf(method: Method<unknown, unknown>, run: GeneralImplementation): Handler {
  if (method.requestStream) return (call) => openStream(call, method, run)
  if (method.responseStream)
    return (call) => call.readOne((request) => openStream(call, method, run, request))
  return bytesHandler(async (request, call) =>
    method.encodeResponse(await run(decoded(method, request), call as GrpcStream<unknown>)),
  )
}

function decoded(method: Method<unknown, unknown>, request: Buffer): unknown {
  try {
    return method.decodeRequest(request)
  } catch (cause) {
    throw new GrpcError(GrpcStatus.INTERNAL, 'the request cannot be decoded', { cause })
  }
}

function openStream(
  call: ServerCall,
  method: Method<unknown, unknown>,
  run: GeneralImplementation,
  request?: Buffer,
): void {
  if (request === undefined) call.ignoreRequests()
  const stream = {
    get signal() {
      return call.signal
    },
    open: () => call.open(),
    send: (response: unknown) => call.send(method.encodeResponse(response)),
  }
  try {
    run(request && decoded(method, request), stream)
  } catch (error) {
    call.fail(asGrpcError(error))
  }
}

const bytesHandler =
  (method: BytesMethod): Handler =>
  (call) =>
    call.readOne((request) => void answer(call, method, request))

async function answer(call: ServerCall, method: BytesMethod, request: Buffer): Promise<void> {
  try {
    call.answer(await method(request, call))
  } catch (error) {
    call.fail(asGrpcError(error))
  }
}

/** The message of any other error may contain secrets. */
const asGrpcError = (error: unknown) =>
  error instanceof GrpcError ? error : new GrpcError(GrpcStatus.UNKNOWN, 'the method failed')
