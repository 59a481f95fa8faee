import type { ConnectionsOptions } from './connections-options.js'
import { Http1Calls } from './http1-calls.js'
import type { Sendable } from './sendable.js'
import type { ServerConnections } from './server-connections.js'
import type { TransportResponse, TransportStream, TransportUpgrade } from './transport.js'
import { upgradeConnection } from './upgrade-connection.js'

/**
 * All connections to a server that does not speak HTTP/2: a pool for calls, and one connection for each watch. Only TCP
 * keep-alive proves that the connection of a watch is alive.
 */
export class Http1Connections implements ServerConnections {
  readonly #options: ConnectionsOptions
  readonly #watches: Http1Calls
  /** Connections that may be dead, with their running calls, which end by themselves. */
  readonly #distrusted = new Set<Http1Calls>()
  #calls: Http1Calls
  #endError: Error | undefined

  constructor(options: ConnectionsOptions) {
    this.#options = options
    this.#calls = this.#newCalls()
    this.#watches = new Http1Calls({ target: options.target })
  }

  request(request: Sendable): Promise<TransportResponse> {
    return this.#calls.request(request)
  }

  stream(request: Sendable): Promise<TransportStream> {
    return this.#watches.stream(request)
  }

  upgrade(request: Sendable): Promise<TransportUpgrade> {
    return upgradeConnection(this.#options.target, request)
  }

  async retire(): Promise<void> {
    await Promise.all(this.#allCalls().map((calls) => calls.retire()))
  }

  async destroy(error: Error): Promise<void> {
    this.#endError = error
    await Promise.all(this.#allCalls().map((calls) => calls.destroy(error)))
  }

  #allCalls(): Http1Calls[] {
    return [this.#calls, ...this.#distrusted, this.#watches]
  }

  #newCalls(): Http1Calls {
    const { target, connections = 32 } = this.#options
    const calls: Http1Calls = new Http1Calls({ target, connections, onSilent: () => this.#distrust(calls) })
    return calls
  }

  /**
   * If one connection is silent, others may be silent, too. A new call on one of them would wait as long again, and a
   * Lease would be lost by then. So new calls use new connections.
   */
  #distrust(calls: Http1Calls): void {
    if (calls !== this.#calls || this.#endError) return
    this.#calls = this.#newCalls()
    this.#distrusted.add(calls)
    void calls.retire().finally(() => this.#distrusted.delete(calls))
  }
}
