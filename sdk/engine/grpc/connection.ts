import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2'
import { connect as connectSocket, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'
import { GrpcError } from './grpc-error.js'
import { hostAndPort } from './host-and-port.js'
import { GrpcStatus } from './status.js'

/** A server, and how to reach it. */
export interface GrpcTarget {
  /** `host:port`, or `unix:` and the path of a socket. The host of an IPv6 address has brackets. */
  readonly address: string
  /** The server's name in `:authority`. Default the address, or `localhost` for a socket. */
  readonly authority?: string | undefined
  /** Options of TLS. Default none: the connection is not encrypted. */
  readonly tls?: ConnectionOptions | undefined
}

const unixPrefix = 'unix:'

/** The name of a server in `:authority`. */
export const authorityOf = ({ address, authority }: GrpcTarget): string =>
  authority ?? (address.startsWith(unixPrefix) ? 'localhost' : address)

/** A connection to a server. It is opened by the first call, and again by the first call after it has ended. */
export class Connection {
  readonly #target: GrpcTarget
  readonly #sessions = new Map<ClientHttp2Session, Socket>()
  #opening: Promise<ClientHttp2Session> | undefined
  #isClosed = false

  constructor(target: GrpcTarget) {
    this.#target = target
  }

  /**
   * The open session. Rejects with {@link GrpcError}: `UNAVAILABLE` without a connection, `FAILED_PRECONDITION` once
   * closed.
   */
  async session(): Promise<ClientHttp2Session> {
    for (;;) {
      if (this.#isClosed) throw new GrpcError(GrpcStatus.FAILED_PRECONDITION, 'the client is closed')
      this.#opening ??= this.#open()
      const opening = this.#opening
      const session = await opening
      if (!session.closed && !session.destroyed) return session
      // It has ended, and has not reported it yet.
      this.#leave(opening)
    }
  }

  /** Ends the connection when the calls under way have ended. */
  close(): void {
    this.#isClosed = true
    for (const [session, socket] of this.#sessions) {
      if (session.connecting) socket.destroy()
      // It waits for the other side to close, which must not keep the process alive.
      session.unref()
      session.close()
    }
  }

  /** The next call opens another session. */
  #leave(opening: Promise<ClientHttp2Session>): void {
    if (this.#opening === opening) this.#opening = undefined
  }

  #open(): Promise<ClientHttp2Session> {
    const socket = openSocket(this.#target)
    const session = connectHttp2('http://localhost', {
      createConnection: () => socket,
      // The answers of all calls; Node would end calls while they have more than 10 MB.
      maxSessionMemory: Number.MAX_SAFE_INTEGER,
    })
    const opening = whenConnected(session, this.#target.address)
    this.#sessions.set(session, socket)
    session.on('goaway', () => this.#leave(opening))
    session.on('close', () => {
      this.#leave(opening)
      this.#sessions.delete(session)
    })
    return opening
  }
}

function whenConnected(session: ClientHttp2Session, address: string): Promise<ClientHttp2Session> {
  return new Promise((resolve, reject) => {
    let cause: Error | undefined
    session.on('error', (error) => {
      cause = error
    })
    session.once('connect', () => resolve(session))
    session.once('close', () => {
      const problem = cause?.message ?? 'the connection was closed'
      reject(new GrpcError(GrpcStatus.UNAVAILABLE, `cannot connect to ${address}: ${problem}`, { cause }))
    })
  })
}

function openSocket({ address, tls }: GrpcTarget): Socket {
  const target = address.startsWith(unixPrefix)
    ? { path: address.slice(unixPrefix.length).replace(/^\/\//, '') }
    : hostAndPort(address)
  return tls
    ? connectTls({ ALPNProtocols: ['h2'], ...tls, ...target })
    : connectSocket({ noDelay: true, ...target })
}
