import { FailedAttempt } from './attempt.js'
import { ChunkQueue } from './chunk-queue.js'
import type { ConnectionsOptions } from './connections-options.js'
import { Http1Connections } from './http1-connections.js'
import { AnswerTooLarge } from './http2/call.js'
import { Http2Error } from './http2/http2-error.js'
import type { Http2Session } from './http2/session.js'
import type { Watch, WatchHandler } from './http2/watch.js'
import type { Sendable } from './sendable.js'
import type { ServerConnections } from './server-connections.js'
import { SessionPool } from './session-pool.js'
import {
  AnswerTooLargeError,
  type TransportResponse,
  type TransportStream,
  type TransportUpgrade,
} from './transport.js'
import { upgradeConnection } from './upgrade-connection.js'

/** The time after which a quiet connection with a call that has no answer may be dead, in milliseconds. */
const silentMs = 3000

/**
 * Calls and watches over HTTP/2 by the SDK's own client: a session for calls and as few sessions for watches as the
 * server's limit of streams allows. If the server does not speak HTTP/2, everything goes over HTTP/1.1, by
 * `Http1Connections`.
 */
export class Http2Connections implements ServerConnections {
  readonly #options: ConnectionsOptions
  readonly #calls: SessionPool
  readonly #watches: SessionPool
  #http1: Http1Connections | undefined
  /** Why the connections were destroyed; undefined before. */
  #endError: Error | undefined

  constructor(options: ConnectionsOptions) {
    this.#options = options
    const { target, pingIntervalMs, pingTimeoutMs } = options
    const sharedOptions = {
      target,
      onHttp1Only: () => this.#useHttp1(),
      // The other sessions usually use the same network path, so they are probed, too.
      onSilent: () => this.#probe(),
      ...(pingIntervalMs !== undefined && { pingIntervalMs }),
      ...(pingTimeoutMs !== undefined && { pingTimeoutMs }),
    }
    this.#calls = new SessionPool({ ...sharedOptions, kind: 'call' })
    this.#watches = new SessionPool({ ...sharedOptions, kind: 'watch' })
    if (target.url.protocol === 'http:') this.#useHttp1()
  }

  request(request: Sendable): Promise<TransportResponse> {
    if (this.#http1) return this.#http1.request(request)
    const session = this.#calls.current()
    return session ? this.#call(session, request) : this.#callLater(request)
  }

  async stream(request: Sendable): Promise<TransportStream> {
    for (;;) {
      request.signal.throwIfAborted()
      if (this.#http1) return this.#http1.stream(request)
      const session = this.#watches.current()
      if (session) return openStream(session, request)
      await this.#watches.open(request.signal)
    }
  }

  upgrade(request: Sendable): Promise<TransportUpgrade> {
    return upgradeConnection(this.#options.target, request)
  }

  async retire(): Promise<void> {
    await Promise.all([this.#calls.retire(), this.#watches.retire(), this.#http1?.retire()])
  }

  async destroy(error: Error): Promise<void> {
    this.#endError = error
    this.#calls.destroy(error)
    this.#watches.destroy(error)
    await this.#http1?.destroy(error)
  }

  /** Opens a session for a call when there is none, then sends the call. */
  async #callLater(request: Sendable): Promise<TransportResponse> {
    request.signal.throwIfAborted()
    await this.#calls.open(request.signal)
    return this.request(request)
  }

  /** Sends a call on a session. A session that stayed silent for too long gets no further calls. */
  async #call(session: Http2Session, request: Sendable): Promise<TransportResponse> {
    const { clock } = this.#options.target
    const readsBefore = session.reads
    const startMs = clock.now()
    try {
      return await session.request(request)
    } catch (error) {
      // The next call would wait as long, and a Lease would be lost by then. Running calls end by themselves.
      if (session.reads === readsBefore && clock.now() - startMs >= silentMs) this.#distrust(session)
      // The server may hold the rest of the answer in memory, and then have none for other streams of this connection.
      else if (error instanceof AnswerTooLarge) void session.drain()
      throw failureOf(request, error)
    }
  }

  /** Sends no more calls on a session that may be dead, and probes it. */
  #distrust(session: Http2Session): void {
    session.probe()
    void session.drain()
  }

  /** Sends a PING on every session. */
  #probe(): void {
    this.#calls.probe()
    this.#watches.probe()
  }

  /** Sends everything over HTTP/1.1 from now on. */
  #useHttp1(): void {
    if (this.#http1) return
    const { target, logger } = this.#options
    if (target.url.protocol === 'https:')
      logger.warn(
        {},
        'the API server speaks no HTTP/2: each watch takes a connection, a silent one is found late',
      )
    this.#http1 = new Http1Connections(this.#options)
    if (this.#endError) void this.#http1.destroy(this.#endError)
  }
}

/** Sends a watch over a session. Resolves with the head of its answer; its body follows as chunks. */
function openStream(session: Http2Session, request: Sendable): Promise<TransportStream> {
  return new Promise((resolve, reject) => {
    let watch: Watch | undefined
    const chunks = new ChunkQueue({
      onTaken: (bytes) => watch?.take(bytes),
      onLeft: () => watch?.cancel(new Error('the reader left')),
    })
    const handler: WatchHandler = {
      onHeaders: (status, headers) => resolve({ status, headers, chunks }),
      // A part is valid only during the call, and its reader runs later.
      onData: (part) => chunks.push(Buffer.from(part)),
      onEnded: () => chunks.end(),
      onFailed: (error) => {
        const failure = failureOf(request, error)
        // Before the headers the promise rejects, and after them the iteration.
        reject(failure)
        chunks.end({ error: failure })
      },
    }
    watch = session.watch(request, handler)
  })
}

/** The error for the transport, which adds the name of the call itself. */
function failureOf(request: Sendable, error: unknown): unknown {
  if (error instanceof AnswerTooLarge) return new AnswerTooLargeError(request)
  if (!(error instanceof Http2Error)) return error
  const { reason, code, sent, cause } = error
  return new FailedAttempt(Object.assign(new Error(reason, { cause }), { code }), { sent })
}
