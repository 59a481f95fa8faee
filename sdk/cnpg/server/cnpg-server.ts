/**
 * The gRPC server of a plugin. It serves the methods, `grpc.health.v1`, and nothing else. Every call is run by a
 * {@link CallRunner}.
 */
import { rm } from 'node:fs/promises'
import {
  type handleUnaryCall,
  Server,
  ServerCredentials,
  status,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js'
import {
  type HealthCheckResponse,
  HealthService,
  ServingStatus,
} from '../../engine/health/proto/gen/health.js'
import { PluginError } from '../../engine/kube/error.js'
import type { Logger } from '../../engine/observe/logger.js'
import { type Clock, systemClock } from '../../engine/time/clock.js'
import type { CallRunner } from '../calls/call-runner.js'
import type { ServedMethod } from '../calls/service.js'
import { type CertificateSet, readCertificates } from './certificate-set.js'
import { followCertificates } from './follow-certificates.js'
import type { ListenOptions, TlsFiles } from './server-options.js'
import { checkFolder, openToAll, pluginSocket, removeStaleSocket } from './socket.js'
import { TlsListener } from './tls-listener.js'

/** Options of {@link CnpgServer}. */
export interface CnpgServerOptions {
  name: string
  methods: readonly ServedMethod[]
  runner: CallRunner
  logger: Logger
  clock: Clock
}

/** Limits in bytes. Requests with a long Cluster status exceed the 4 MiB that grpc-js allows by default. */
const limits = {
  'grpc.max_receive_message_length': 32 * 2 ** 20,
  'grpc.max_send_message_length': -1,
} as const

/** Serves the operator. */
export class CnpgServer {
  readonly #options: CnpgServerOptions
  readonly #server = new Server(limits)
  readonly #closing = new AbortController()
  #isServing = false
  #socketPath: string | undefined
  #tls: TlsListener | undefined

  constructor(options: CnpgServerOptions) {
    this.#options = options
    for (const [service, methods] of groupByService(options.methods)) this.#add(service, methods)
    this.#server.addService(HealthService, this.#health())
  }

  /**
   * Starts to serve, and returns where, for example `127.0.0.1:9090` or `/plugins/hello.example.org`. Throws
   * `PluginError` `INVALID_ADDRESS`, `INVALID_CERTIFICATE` or `CANNOT_LISTEN`.
   */
  async listen(options: ListenOptions): Promise<string> {
    const address =
      'address' in options ? await this.#listenTcp(options) : await this.#listenSocket(options.socketFolder)
    this.#isServing = true
    return address
  }

  /** Reports `NOT_SERVING`, waits for running calls, closes the server, and removes the socket. */
  async close(deadlineMs: number): Promise<void> {
    this.#isServing = false
    await this.#options.runner.stop(deadlineMs)
    this.#closing.abort()
    this.#tls?.close()
    if (this.#socketPath !== undefined) await rm(this.#socketPath, { force: true })
    await this.#shutDown()
  }

  async #listenTcp({ address, tls }: { address: string; tls: TlsFiles }): Promise<string> {
    const { logger, clock } = this.#options
    const certificates = await readCertificates(tls, clock.date())
    for (const warning of certificates.warnings) logger.warn({}, warning)
    const hostAndPort = withHost(address)
    const [, host = '', port] = /^\[?(.*?)\]?:(\d+)$/.exec(hostAndPort) ?? []
    // The listener ends TLS, so the connections that the gRPC server gets need no credentials.
    const injector = this.#server.createConnectionInjector(ServerCredentials.createInsecure())
    const listener = new TlsListener({
      set: certificates,
      files: tls,
      logger,
      clock,
      onConnection: (connection) => injector.injectConnection(connection),
    })
    this.#tls = listener
    const boundPort = await listener.listen(host, Number(port))
    const use = (next: CertificateSet) => listener.replace(next)
    const { signal } = this.#closing
    void followCertificates({ files: tls, served: certificates, use, logger, clock, signal })
    return `${hostAndPort.slice(0, hostAndPort.lastIndexOf(':'))}:${boundPort}`
  }

  async #listenSocket(folder: string): Promise<string> {
    const socket = pluginSocket(folder, this.#options.name)
    await checkFolder(socket)
    await removeStaleSocket(socket)
    await this.#bind(socket.target, ServerCredentials.createInsecure())
    this.#socketPath = socket.path
    await openToAll(socket)
    return socket.path
  }

  #bind(target: string, credentials: ServerCredentials): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.bindAsync(target, credentials, (cause, port) => {
        if (!cause) return resolve(port)
        const message = `cannot listen on ${target} (${cause.message}): use another address`
        reject(new PluginError('CANNOT_LISTEN', message, { cause }))
      })
    })
  }

  /** Closes the server, after a time limit by force: grpc-js never calls back if a connection is lost meanwhile. */
  #shutDown(): Promise<void> {
    return new Promise((resolve) => {
      const cancel = systemClock.schedule(closeMs, () => {
        this.#server.forceShutdown()
        resolve()
      })
      this.#server.tryShutdown(() => {
        cancel()
        resolve()
      })
    })
  }

  /** Adds the methods of one gRPC service. */
  #add(service: string, methods: readonly ServedMethod[]): void {
    const nameOf = ({ path }: ServedMethod) => path.slice(service.length + 2)
    const definition = Object.fromEntries(
      methods.map((method) => [nameOf(method), { path: method.path, ...unaryBytes }]),
    )
    const handlers = Object.fromEntries(methods.map((method) => [nameOf(method), this.#handler(method)]))
    this.#server.addService(definition, handlers)
  }

  #handler(method: ServedMethod): handleUnaryCall<Buffer, Buffer> {
    return (call, reply) => {
      const cancelled = new AbortController()
      call.once('cancelled', () => cancelled.abort(new Error('the caller gave up')))
      void this.#options.runner
        .run(method, call.request, cancelled.signal)
        .then((answer) => (Buffer.isBuffer(answer) ? reply(null, answer) : reply(answer)))
    }
  }

  #health(): UntypedServiceImplementation {
    const now = (): HealthCheckResponse => ({
      status: this.#isServing ? ServingStatus.SERVING : ServingStatus.NOT_SERVING,
    })
    const watch: UntypedServiceImplementation[string] = (call: {
      write(response: HealthCheckResponse): void
    }) => call.write(now())
    const list: handleUnaryCall<unknown, unknown> = (_call, reply) =>
      reply({ code: status.UNIMPLEMENTED, details: 'not served' })
    const check: handleUnaryCall<unknown, HealthCheckResponse> = (_call, reply) => reply(null, now())
    return { check, watch, list }
  }
}

/** How long connections may take to close once no call runs, in milliseconds. */
const closeMs = 1000

const passThrough = (bytes: Buffer) => bytes
const unaryBytes = {
  requestStream: false,
  responseStream: false,
  requestSerialize: passThrough,
  requestDeserialize: passThrough,
  responseSerialize: passThrough,
  responseDeserialize: passThrough,
} as const

/** The methods by the name of their service: `/service/Method`. */
function groupByService(methods: readonly ServedMethod[]): Map<string, ServedMethod[]> {
  const services = new Map<string, ServedMethod[]>()
  for (const method of methods) {
    const service = method.path.slice(1, method.path.lastIndexOf('/'))
    services.set(service, [...(services.get(service) ?? []), method])
  }
  return services
}

/** The address with a host: `:9090`, as Go programs write it, means all addresses. */
function withHost(address: string): string {
  if (!/^.*:\d+$/.test(address))
    throw new PluginError(
      'INVALID_ADDRESS',
      `--server-address must be host:port, got ${JSON.stringify(address)}`,
    )
  return address.startsWith(':') ? `[::]${address}` : address
}
