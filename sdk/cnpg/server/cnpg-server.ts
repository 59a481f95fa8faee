/**
 * The gRPC server of a plugin. It serves the methods, `grpc.health.v1`, and nothing else. Every call is run by a
 * {@link CallRunner}.
 */
import { rm } from 'node:fs/promises'
import { GrpcError } from '../../engine/grpc/grpc-error.js'
import { GrpcServer } from '../../engine/grpc/server.js'
import { formatAddress, listenAddress } from '../../engine/health/listen-address.js'
import { HealthDefinition } from '../../engine/health/proto/gen/health.js'
import { PluginError } from '../../engine/kube/error.js'
import type { Logger } from '../../engine/observe/logger.js'
import type { Clock } from '../../engine/time/clock.js'
import type { CallRunner } from '../calls/call-runner.js'
import type { ServedMethod } from '../calls/service.js'
import { type CertificateSet, readCertificates } from './certificate-set.js'
import { followCertificates } from './follow-certificates.js'
import { HealthStatus } from './health-status.js'
import type { ListenOptions, TlsFiles } from './server-options.js'
import { checkFolder, openToAll, removeStaleSocket, socketPath } from './socket.js'
import { TlsListener } from './tls-listener.js'

/** Options of {@link CnpgServer}. */
export interface CnpgServerOptions {
  name: string
  methods: readonly ServedMethod[]
  runner: CallRunner
  logger: Logger
  clock: Clock
}

/** The largest request in bytes. Those with a long Cluster status exceed the 4 MiB that are usual for gRPC. */
const maxRequestBytes = 32 * 2 ** 20

/** Serves the operator. */
export class CnpgServer {
  readonly #options: CnpgServerOptions
  readonly #server = new GrpcServer({ maxRequestBytes })
  readonly #closing = new AbortController()
  readonly #health = new HealthStatus()
  #socketPath: string | undefined
  #tls: TlsListener | undefined

  constructor(options: CnpgServerOptions) {
    this.#options = options
    for (const method of options.methods) this.#serve(method)
    this.#server.serve(HealthDefinition, this.#health.methods)
  }

  /**
   * Starts to serve, and returns where, for example `127.0.0.1:9090` or `/plugins/hello.example.org`. Throws
   * `PluginError` `INVALID_ADDRESS`, `INVALID_CERTIFICATE` or `CANNOT_LISTEN`.
   */
  async listen(options: ListenOptions): Promise<string> {
    const address =
      'address' in options ? await this.#listenTcp(options) : await this.#listenSocket(options.socketFolder)
    this.#health.set(true)
    return address
  }

  /** Reports `NOT_SERVING`, waits for running calls, closes the server, and removes the socket. */
  async close(deadlineMs: number): Promise<void> {
    this.#health.set(false)
    await this.#options.runner.stop(deadlineMs)
    this.#closing.abort()
    this.#tls?.close()
    if (this.#socketPath !== undefined) await rm(this.#socketPath, { force: true })
    await this.#server.close({ graceMs: closeMs })
  }

  async #listenTcp({ address, tls }: { address: string; tls: TlsFiles }): Promise<string> {
    const { logger, clock } = this.#options
    const parsed = listenAddress('--server-address', address)
    const certificates = await readCertificates(tls, clock.date())
    for (const warning of certificates.warnings) logger.warn({}, warning)
    const listener = new TlsListener({
      set: certificates,
      files: tls,
      logger,
      clock,
      onConnection: (connection) => this.#server.accept(connection),
    })
    this.#tls = listener
    const bound = await listener.listen(parsed)
    const use = (next: CertificateSet) => listener.replace(next)
    const { signal } = this.#closing
    void followCertificates({ files: tls, served: certificates, use, logger, clock, signal })
    return formatAddress({ host: parsed.host ?? bound.address, port: bound.port })
  }

  async #listenSocket(folder: string): Promise<string> {
    const path = socketPath(folder, this.#options.name)
    await checkFolder(path)
    await removeStaleSocket(path)
    await this.#bind(path)
    this.#socketPath = path
    await openToAll(path)
    return path
  }

  async #bind(path: string): Promise<void> {
    try {
      await this.#server.listen({ path })
    } catch (cause) {
      const message = `cannot listen on unix:${path} (${(cause as Error).message}): use another address`
      throw new PluginError('CANNOT_LISTEN', message, { cause })
    }
  }

  #serve(method: ServedMethod): void {
    this.#server.serveBytes(method.path, async (request, { signal }) => {
      const answer = await this.#options.runner.run(method, request, signal)
      if (Buffer.isBuffer(answer)) return answer
      throw new GrpcError(answer.code, answer.details)
    })
  }
}

/** How long connections may take to close once no call runs, in milliseconds. */
const closeMs = 1000
