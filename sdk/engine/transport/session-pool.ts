import { TLSSocket } from 'node:tls'
import { type CancelToken, orAborted } from '../time/cancellation.js'
import { FailedAttempt } from './attempt.js'
import type { HeartbeatTimes } from './connections-options.js'
import { type DialTarget, dial } from './dial.js'
import type { StreamKind } from './http2/exchange.js'
import { ConnectionLost, failure } from './http2/http2-error.js'
import { ReadBuffer } from './http2/read-buffer.js'
import { Http2Session } from './http2/session.js'

/** Options of {@link SessionPool}. */
export interface SessionPoolOptions extends HeartbeatTimes {
  target: DialTarget
  kind: StreamKind
  /** Called once it is known that the server does not speak HTTP/2. */
  onHttp1Only: () => void
  /** Called when a PING was not answered, before the session ends for that reason. */
  onSilent: () => void
}

/**
 * How long a session takes new requests, in milliseconds. A session is one connection, and so one of the API servers
 * behind a load balancer: without a limit, all clients stay on the servers that were up first, and a restarted server
 * gets no requests. Running watches go on; the API server ends each of them within ten minutes.
 */
const maxAgeMs = 10 * 60_000

/**
 * The HTTP/2 sessions for calls or for watches: usually one. Another session is opened when it ends, or has no room for
 * a watch.
 */
export class SessionPool {
  readonly #options: SessionPoolOptions
  readonly #sessions = new Map<Http2Session, { openedMs: number }>()
  #opening: Promise<void> | undefined
  #endError: Error | undefined

  constructor(options: SessionPoolOptions) {
    this.#options = options
  }

  /** A session that takes a request now, or in the case of calls soon; undefined if a session must be opened first. */
  current(): Http2Session | undefined {
    const { kind, target } = this.#options
    for (const [session, { openedMs }] of this.#sessions) {
      if (!session.isOpen) continue
      // A waiting call is served soon; a watch would wait for the end of another watch.
      if (target.clock.now() - openedMs > maxAgeMs) void session.drain()
      else if (kind === 'call' || session.free(kind) > 0) return session
    }
    return undefined
  }

  /** Opens a session, which all waiting callers share. Also resolves if the server does not speak HTTP/2. */
  async open(signal: CancelToken): Promise<void> {
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined
    })
    try {
      await orAborted(this.#opening, signal)
    } catch (error) {
      throw signal.aborted ? signal.reason : new FailedAttempt(error, { sent: false })
    }
  }

  /** Sends a PING on each session, to find dead sessions sooner. */
  probe(): void {
    for (const session of this.#sessions.keys()) session.probe()
  }

  /** Takes no new requests from now on; resolves when the last request has ended. */
  async retire(): Promise<void> {
    await Promise.all([...this.#sessions.keys()].map((session) => session.drain()))
  }

  /** Ends all sessions. */
  destroy(error: Error): void {
    this.#endError = error
    for (const session of this.#sessions.keys()) session.destroy(error)
  }

  /** Connects and opens one session, or reports that the server speaks only HTTP/1.1. */
  async #open(): Promise<void> {
    const { target, onHttp1Only, onSilent, pingIntervalMs, pingTimeoutMs } = this.#options
    const readBuffer = new ReadBuffer()
    const socket = await dial(target, ['h2', 'http/1.1'], readBuffer)
    if (!(socket instanceof TLSSocket) || socket.alpnProtocol !== 'h2') {
      socket.destroy()
      onHttp1Only()
      return
    }
    const session = await Http2Session.open({
      socket,
      readBuffer,
      clock: target.clock,
      authority: target.url.host,
      signal: target.signal,
      onSilent,
      ...(pingIntervalMs !== undefined && { pingIntervalMs }),
      ...(pingTimeoutMs !== undefined && { pingTimeoutMs }),
    })
    this.#sessions.set(session, { openedMs: target.clock.now() })
    void session.closed.then(() => this.#sessions.delete(session))
    if (this.#endError) session.destroy(this.#endError)
    else this.#checkRoom(session)
  }

  /**
   * Throws if a new session takes no request: the server has ended it already, or allows no streams. Callers would
   * otherwise open one after the other without a pause.
   */
  #checkRoom(session: Http2Session): void {
    const { kind } = this.#options
    if (session.isOpen && (kind === 'call' || session.free(kind) > 0)) return
    void session.drain()
    const reason =
      'the server takes no requests on a new connection; check it, and the load balancer in front of it'
    throw new ConnectionLost(reason, { code: failure.goaway })
  }
}
