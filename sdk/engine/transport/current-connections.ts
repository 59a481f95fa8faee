import type { SecureContext } from 'node:tls'
import type { Logger } from '../observe/logger.js'
import type { Clock } from '../time/clock.js'
import type { AddressCheck } from './checked-lookup.js'
import type { HeartbeatTimes } from './connections-options.js'
import type { TlsIdentity } from './credential.js'
import type { DialTarget } from './dial.js'
import { Http2Connections } from './http2-connections.js'
import type { Kubeconfig } from './kubeconfig.js'
import { secureContextOf } from './secure-context.js'
import type { ServerConnections } from './server-connections.js'

/** Options of {@link CurrentConnections}. */
export interface CurrentConnectionsOptions extends HeartbeatTimes {
  kubeconfig: Kubeconfig
  /** The API server's URL. */
  url: URL
  clock: Clock
  logger: Logger
  /** Gives up connections that are still being opened. */
  signal: AbortSignal
  /** Whether a connection to an address of the server is allowed; default all. */
  allowsAddress?: AddressCheck
  /** How many connections calls may use over HTTP/1.1; default 32. */
  connections?: number
}

/**
 * The connections of a transport with the current certificates. `Attempts` asks for them before each call. Connections
 * with older certificates end with their last use.
 */
export class CurrentConnections {
  readonly #options: CurrentConnectionsOptions
  readonly #retired = new Set<ServerConnections>()
  readonly #knownIdentities = new WeakSet<TlsIdentity>()
  #current: { tls: TlsIdentity; connections: ServerConnections } | undefined

  constructor(options: CurrentConnectionsOptions) {
    this.#options = options
  }

  /** The connections for a call with certificates. A new `tls` object means that the certificates changed. */
  of(tls: TlsIdentity): ServerConnections {
    // A call that took its credentials just before they changed can use the new connections, too.
    if (this.#current && this.#knownIdentities.has(tls)) return this.#current.connections
    this.#knownIdentities.add(tls)
    if (this.#current) this.#retire(this.#current.connections)
    const connections = new Http2Connections({ ...this.#options, target: this.#dialTargetFor(tls) })
    this.#current = { tls, connections }
    return connections
  }

  /** Ends everything at once. */
  async destroy(reason: Error): Promise<void> {
    const openConnections = [...this.#retired]
    if (this.#current) openConnections.push(this.#current.connections)
    await Promise.all(openConnections.map((connections) => connections.destroy(reason)))
  }

  /** Lets the calls under way on connections with old certificates end. */
  #retire(connections: ServerConnections): void {
    const { logger, url } = this.#options
    this.#retired.add(connections)
    logger.info({ server: url.host }, 'the certificates changed: new calls use new connections')
    void connections.retire().finally(() => this.#retired.delete(connections))
  }

  /** The server to connect to, with these certificates. */
  #dialTargetFor(tls: TlsIdentity): DialTarget {
    const { url, clock, signal, allowsAddress } = this.#options
    const { source, tlsServerName, skipTlsVerify, proxyUrl } = this.#options.kubeconfig
    return {
      url,
      secureContext: secureContextMaker(tls, source),
      clock,
      signal,
      ...(tlsServerName && { tlsServerName }),
      ...(skipTlsVerify && { skipTlsVerify }),
      ...(proxyUrl && { proxyUrl }),
      ...(allowsAddress && { allowsAddress }),
    }
  }
}

/**
 * Makes the secure context at the first call, and remembers it. An error is thrown at each call: without a context, a
 * connection would use neither the certificate authority nor the client certificate.
 */
function secureContextMaker(tls: TlsIdentity, source: string): () => SecureContext {
  let context: SecureContext | undefined
  return () => {
    context ??= secureContextOf(tls, source)
    return context
  }
}
