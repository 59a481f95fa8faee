import { orAborted } from '../time/cancellation.js'
import type { Connections, ConnectionsOptions } from './connections.js'
import type { Sendable } from './http-exchange.js'
import type { ServerConnections } from './server-connections.js'
import type { TransportResponse, TransportStream, TransportUpgrade } from './transport.js'
import { upgradeConnection } from './upgrade-connection.js'

/** `Connections`, whose packages are imported with the first call: most programs never need HTTP/1.1. */
export class NodeConnections implements ServerConnections {
  readonly #options: ConnectionsOptions
  #loading: Promise<Connections> | undefined
  #loaded: Connections | undefined
  #ended: Error | undefined

  constructor(options: ConnectionsOptions) {
    this.#options = options
  }

  async request(request: Sendable): Promise<TransportResponse> {
    const connections = this.#loaded ?? (await orAborted(this.#load(), request.signal))
    return connections.request(request)
  }

  async stream(request: Sendable): Promise<TransportStream> {
    const connections = this.#loaded ?? (await orAborted(this.#load(), request.signal))
    return connections.stream(request)
  }

  upgrade(request: Sendable): Promise<TransportUpgrade> {
    return upgradeConnection(this.#options.target, request)
  }

  async retire(): Promise<void> {
    await (await this.#loading)?.retire()
  }

  async destroy(error: Error): Promise<void> {
    this.#ended = error
    await (await this.#loading)?.destroy(error)
  }

  #load(): Promise<Connections> {
    this.#loading ??= this.#open()
    return this.#loading
  }

  async #open(): Promise<Connections> {
    const { Connections } = await import('./connections.js')
    const connections = new Connections(this.#options)
    this.#loaded = connections
    if (this.#ended) await connections.destroy(this.#ended)
    return connections
  }
}
