import type { Server, Socket } from 'node:net'

/**
 * The TCP connections of a server, to close them with it. `closeAllConnections` of Node knows a connection by HTTPS
 * only after its handshake: one that is made meanwhile, as API servers do in advance, would keep the server from
 * closing for as long as the client likes.
 *
 * ```ts
 * const sockets = new OpenSockets(server)
 * server.close(done)
 * sockets.destroy()
 * ```
 */
export class OpenSockets {
  /** By the address and port of the other end, in the order in which they were opened or served a request last. */
  readonly #open = new Map<string, Socket>()
  readonly #busy = new Set<string>()

  /**
   * Follows the connections of a server that does not listen yet. Above `most`, the oldest one that serves no request
   * makes room.
   */
  constructor(server: Server, { most = Number.POSITIVE_INFINITY }: { readonly most?: number } = {}) {
    server.on('connection', (socket: Socket) => {
      const name = otherEnd(socket)
      this.#open.set(name, socket)
      socket.once('close', () => {
        if (this.#open.get(name) === socket) this.#open.delete(name)
      })
      if (this.#open.size > most) this.#makeRoom()
    })
  }

  /**
   * Keeps a connection while it serves a request; returns a function that ends this. The socket may be the one of TLS.
   */
  serving(socket: Socket): () => void {
    const name = otherEnd(socket)
    this.#busy.add(name)
    return () => {
      this.#busy.delete(name)
      const open = this.#open.get(name)
      if (open && this.#open.delete(name)) this.#open.set(name, open)
    }
  }

  /** A client that opens connections and sends nothing must not keep out the others. */
  #makeRoom(): void {
    for (const [name, socket] of this.#open)
      if (!this.#busy.has(name)) {
        this.#open.delete(name)
        socket.destroy()
        return
      }
  }

  /** Breaks every connection. After `close` of the server no other can come. */
  destroy(): void {
    for (const socket of this.#open.values()) socket.destroy()
  }
}

const otherEnd = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`
