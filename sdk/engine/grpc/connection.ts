import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2'
import { connect as connectSocket, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'
import { GrpcError } from './grpc-error.js'
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

/** A connection to a server. It is opened by the first call, and again by the first call after it has ended. */
export class Connection {
  readonly #target: GrpcTarget
  readonly #sessions = new Set<ClientHttp2Session>()
  #opening: Promise<ClientHttp2Session> | undefined
  #isClosed = false

  constructor(target: GrpcTarget) {
    this.#target = target
  }

  /** The open session. Rejects with {@link GrpcError}: `UNAVAILABLE` if there is none, `CANCELLED` once closed. */
  async session(): Promise<ClientHttp2Session> {
    if (this.#isClosed) throw new GrpcError(GrpcStatus.CANCELLED, 'the client is closed')
    this.#opening ??= this.#open()
    return await this.#opening
  }

  /** Ends the connection when the calls under way have ended. */
  close(): void {
    this.#isClosed = true
    for (const session of this.#sessions) {
      session.close()
      // It then waits for the other side to close, which must not keep the process alive.
      session.unref()
    }
  }

  #open(): Promise<ClientHttp2Session> {
    const { address, authority = address.startsWith(unixPrefix) ? 'localhost' : address } = this.#target
    const session = connectHttp2(`http://${authority}`, {
      createConnection: () => openSocket(this.#target),
      // The answers of all calls; Node would end calls while they have more than 10 MB.
      maxSessionMemory: Number.MAX_SAFE_INTEGER,
    })
    const opening = whenConnected(session, address)
    // The next call opens another session when this one has ended, or takes no more calls.
    const leave = () => {
      if (this.#opening === opening) this.#opening = undefined
    }
    this.#sessions.add(session)
    session.on('goaway', leave)
    session.on('close', () => {
      leave()
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

function hostAndPort(address: string): { host: string; port: number } {
  const { hostname, port } = new URL(`tcp://${address}`)
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) }
}
