import { Agent } from 'node:http'
import type { Socket } from 'node:net'
import { type DialTarget, dial } from './dial.js'

/**
 * Node's pool of HTTP/1.1 connections. They are opened like all connections of the transport, with its proxy and its
 * checks.
 */
export class DialAgent extends Agent {
  readonly #target: DialTarget
  #ended: Error | undefined

  constructor(target: DialTarget) {
    // A Go server closes an idle connection after 90 s, a load balancer often after 60 s; we close it earlier.
    super({ keepAlive: true, keepAliveMsecs: 15_000, timeout: 30_000 })
    this.#target = target
  }

  /** Closes all connections, also connections that are still being opened. */
  end(error: Error): void {
    this.#ended = error
    this.destroy()
  }

  /** Called by Node for a request without a free connection. */
  override createConnection(
    _options: object,
    done: (error: Error | null, socket: Socket) => void = () => {},
  ): undefined {
    const fail = (error: Error) => done(error, undefined as never)
    dial(this.#target, ['http/1.1']).then((socket) => {
      if (!this.#ended) return done(null, socket)
      socket.destroy()
      fail(this.#ended)
    }, fail)
  }
}
