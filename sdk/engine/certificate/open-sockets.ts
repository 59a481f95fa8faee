import type { Server, Socket } from 'node:net'

/** Options of {@link OpenSockets}. */
export interface OpenSocketsOptions {
  /** The number of connections above which one is closed; default unlimited. */
  readonly maxSockets?: number
  /** Called when one is closed for that reason. */
  readonly onMakeRoom?: () => void
}

/**
 * The TCP connections of a server, which are closed with the server. Node's `closeAllConnections` knows an HTTPS
 * connection only after its handshake. API servers open connections in advance; without this class, an open connection
 * without a handshake would keep the server from closing for as long as the client likes.
 *
 * ```ts
 * const sockets = new OpenSockets(server)
 * server.close(done)
 * sockets.destroy()
 * ```
 */
export class OpenSockets {
  /**
   * The connections by the address and port of the client. The connection that was opened or served a request last is
   * the last.
   */
  readonly #open = new Map<string, Socket>()
  readonly #busy = new Set<string>()

  /**
   * Follows the connections of a server that does not listen yet. Above `maxSockets` connections, the oldest connection
   * that serves no request is closed.
   */
  constructor(
    server: Server,
    { maxSockets = Number.POSITIVE_INFINITY, onMakeRoom }: OpenSocketsOptions = {},
  ) {
    server.on('connection', (socket: Socket) => {
      const name = clientAddress(socket)
      this.#open.set(name, socket)
      socket.once('close', () => {
        if (this.#open.get(name) === socket) this.#open.delete(name)
      })
      if (this.#open.size > maxSockets && this.#makeRoom()) onMakeRoom?.()
    })
  }

  /**
   * Keeps a connection open while it serves a request. Returns a function that records the end of the request. The
   * socket may be a TLS socket.
   */
  beginRequest(socket: Socket): () => void {
    const name = clientAddress(socket)
    this.#busy.add(name)
    return () => {
      this.#busy.delete(name)
      const open = this.#open.get(name)
      if (open && this.#open.delete(name)) this.#open.set(name, open)
    }
  }

  /**
   * Closes the oldest idle connection, because a client that opens connections and sends nothing must not keep out
   * others. Returns whether there was one.
   */
  #makeRoom(): boolean {
    for (const [name, socket] of this.#open)
      if (!this.#busy.has(name)) {
        this.#open.delete(name)
        socket.destroy()
        return true
      }
    return false
  }

  /** Breaks every connection. Call it after `close` of the server, so that no new connection can follow. */
  destroy(): void {
    for (const socket of this.#open.values()) socket.destroy()
  }
}

const clientAddress = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`
