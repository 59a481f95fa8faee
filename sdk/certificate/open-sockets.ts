import type { Server, Socket } from 'node:net'

/**
 * The TCP connections of a server, to close them with it. `closeAllConnections` of Node knows a connection by HTTPS only after
 * its handshake: one that is made meanwhile, as API servers do in advance, would keep the server from closing for as long as
 * the client likes.
 *
 * ```ts
 * const sockets = new OpenSockets(server)
 * server.close(done)
 * sockets.destroy()
 * ```
 */
export class OpenSockets {
  readonly #open = new Set<Socket>()

  /** Follows the connections of a server that does not listen yet. */
  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.#open.add(socket)
      socket.once('close', () => this.#open.delete(socket))
    })
  }

  /** Breaks every connection. After `close` of the server no other can come. */
  destroy(): void {
    for (const socket of this.#open) socket.destroy()
  }
}
