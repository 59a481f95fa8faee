import { TLSSocket } from 'node:tls'
import type { Logger } from '../observe/logger.js'
import { type CancelToken, orAborted } from '../time/cancellation.js'
import { FailedAttempt } from './attempt.js'
import { Calls } from './calls.js'
import { type DialTarget, dial } from './dial.js'
import type { Sendable } from './http-exchange.js'
import type { ServerConnections } from './server-connections.js'
import type { TransportResponse, TransportStream, TransportUpgrade } from './transport.js'
import { upgradeConnection } from './upgrade-connection.js'
import { type Heartbeat, WatchSession } from './watch-session.js'

/** Options of {@link Connections}. */
export interface ConnectionsOptions extends Heartbeat {
  target: DialTarget
  logger: Logger
  /** How many connections calls may use; default 32. */
  connections?: number
}

/**
 * All connections to one server under one TLS identity: a pool for calls, and for watches as few HTTP/2
 * sessions as the server's limit of streams allows. If the server does not speak HTTP/2, each watch has an
 * HTTP/1.1 connection of its own, which only TCP keep-alive proves to be alive.
 */
export class Connections implements ServerConnections {
  readonly #options: ConnectionsOptions
  #calls: Calls
  /** Calls on connections that may be dead; they end by themselves. */
  readonly #distrusted = new Set<Calls>()
  readonly #sessions = new Set<WatchSession>()
  #opening: Promise<void> | undefined
  #watchCalls: Calls | undefined
  #ended: Error | undefined

  constructor(options: ConnectionsOptions) {
    this.#options = options
    this.#calls = this.#newCalls()
    if (options.target.url.protocol === 'http:') this.#watchCalls = this.#newWatchCalls()
  }

  request(request: Sendable): Promise<TransportResponse> {
    return this.#calls.request(request)
  }

  async stream(request: Sendable): Promise<TransportStream> {
    for (;;) {
      request.signal.throwIfAborted()
      if (this.#watchCalls) return this.#watchCalls.stream(request)
      const session = this.#reserved()
      if (session) return session.stream(request)
      await this.#anotherSession(request.signal)
    }
  }

  upgrade(request: Sendable): Promise<TransportUpgrade> {
    return upgradeConnection(this.#options.target, request)
  }

  async retire(): Promise<void> {
    const sessions = [...this.#sessions].map((session) => session.retire())
    const calls = [this.#calls, ...this.#distrusted].map((each) => each.retire())
    await Promise.all([...sessions, ...calls, this.#watchCalls?.retire()])
  }

  async destroy(error: Error): Promise<void> {
    this.#ended = error
    for (const session of this.#sessions) session.destroy(error)
    const calls = [this.#calls, ...this.#distrusted].map((each) => each.destroy(error))
    await Promise.all([...calls, this.#watchCalls?.destroy(error)])
  }

  #newCalls(): Calls {
    const { target, connections = 32 } = this.#options
    const calls: Calls = new Calls({ target, connections, onSilent: () => this.#distrust(calls) })
    return calls
  }

  #newWatchCalls(): Calls {
    return new Calls({ target: this.#options.target, connections: undefined })
  }

  /**
   * If one connection is silent, others may be silent, too. A call on one of them would wait as long again, and a Lease would be
   * lost by then. So new calls use new connections.
   */
  #distrust(calls: Calls): void {
    if (calls !== this.#calls || this.#ended) return
    this.#calls = this.#newCalls()
    this.#distrusted.add(calls)
    void calls.retire().finally(() => this.#distrusted.delete(calls))
  }

  /** A PING without an answer is proof: calls under way will have none either. */
  #abandon(error: Error): void {
    this.#distrust(this.#calls)
    for (const calls of this.#distrusted) void calls.destroy(error)
    this.#distrusted.clear()
  }

  #reserved(): WatchSession | undefined {
    for (const session of this.#sessions) if (session.reserve()) return session
    return undefined
  }

  /** Waits for one more session; many who wait share it. */
  async #anotherSession(signal: CancelToken): Promise<void> {
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined
    })
    try {
      await orAborted(this.#opening, signal)
    } catch (error) {
      throw signal.aborted ? signal.reason : new FailedAttempt(error, { sent: false })
    }
  }

  async #open(): Promise<void> {
    const { target, logger, ...heartbeat } = this.#options
    const socket = await dial(target, ['h2', 'http/1.1'])
    if (!(socket instanceof TLSSocket) || socket.alpnProtocol !== 'h2') {
      socket.destroy()
      logger.warn(
        {},
        'the API server speaks no HTTP/2: each watch takes a connection, a silent one is found late',
      )
      this.#watchCalls = this.#newWatchCalls()
      return
    }
    const session = await WatchSession.open({
      ...heartbeat,
      socket,
      url: target.url,
      clock: target.clock,
      signal: target.signal,
      onSilent: (error) => this.#abandon(error),
    })
    this.#sessions.add(session)
    void session.closed.then(() => this.#sessions.delete(session))
    if (this.#ended) session.destroy(this.#ended)
  }
}
