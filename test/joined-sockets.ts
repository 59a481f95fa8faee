import type { Socket } from 'node:net'

/** The connections of a proxy, each made of two sockets. */
export class JoinedSockets {
  readonly #open = new Set<Socket>()

  /** Passes on what each of two sockets receives to the other one. */
  join(incoming: Socket, outgoing: Socket): void {
    this.#follow(incoming, outgoing)
    this.#follow(outgoing, incoming)
  }

  /** Ends all connections. */
  destroy(): void {
    for (const socket of this.#open) socket.destroy()
  }

  #follow(one: Socket, other: Socket): void {
    this.#open.add(one)
    one.pipe(other)
    one.once('error', () => other.destroy()).once('close', () => this.#open.delete(one))
  }
}
