import type { Duplex } from 'node:stream'
import type { CancelToken } from '../../time/cancellation.js'
import type { Clock } from '../../time/clock.js'
import { CallExchange, type Http2Answer, type Http2Call } from './call.js'
import { Connection } from './connection.js'
import type { Http2Request, StreamKind } from './exchange.js'
import { Heartbeat } from './heartbeat.js'
import { ConnectionLost, failure } from './http2-error.js'
import { errorCode } from './protocol.js'
import type { ReadBuffer } from './read-buffer.js'
import { Watch, type WatchHandler } from './watch.js'

/** Options of {@link Http2Session.open}. */
export interface Http2SessionOptions {
  /** A connection to a server that speaks HTTP/2: with TLS, ALPN has chosen `h2`. */
  socket: Duplex
  /** The buffer that the socket reads into, if the socket has one; by default the socket emits `data`. */
  readBuffer?: ReadBuffer
  clock: Clock
  /** The server's host and port. */
  authority: string
  /** Gives up a session that is still being opened. */
  signal: CancelToken
  /** The time from the answer to a PING until the next PING, in milliseconds; default 10,000. */
  pingIntervalMs?: number
  /**
   * The time after which a PING without an answer means that the connection is dead, in milliseconds; default 6,000.
   */
  pingTimeoutMs?: number
  /** How long the server may take to send its settings and to accept ours, in milliseconds; default 10,000. */
  settingsTimeoutMs?: number
  /** The time without use after which a session ends, in milliseconds; default 30,000. */
  idleMs?: number
  /** The number of streams that are reserved for calls; default 0. */
  reservedForCalls?: number
  /** Called when a PING was not answered, before the session ends for that reason; default nothing happens. */
  onSilent?: (error: Error) => void
}

/**
 * An HTTP/2 connection for calls and watches, designed for many small requests at once: all data of one turn of the
 * event loop is sent in one write, and answers are read from a fixed buffer.
 *
 * It promises that every request ends with an answer, with the reason of its signal, or with an `Http2Error` that says
 * whether the request may have reached the server. It repeats no request and opens no connection: the caller does.
 *
 * @example
 * ```ts
 * const session = await Http2Session.open({ socket, clock: systemClock, authority: 'localhost:6443', signal })
 * const { status, body } = await session.request({ method: 'GET', path: '/version', headers: {}, signal })
 * await session.drain()
 * ```
 */
export class Http2Session {
  /** Resolves when the connection is closed. */
  readonly closed: Promise<void>
  readonly #connection: Connection
  readonly #heartbeat: Heartbeat
  readonly #clock: Clock
  readonly #idleMs: number
  readonly #onDraining: (() => void)[] = []
  #cancelSettings = () => {}
  #cancelIdle = () => {}
  readonly #signal: CancelToken
  readonly #onAbort = () => this.destroy(asError(this.#signal.reason))
  #opened: OpenPromise | undefined

  private constructor(options: Http2SessionOptions, opened: OpenPromise) {
    const { socket, clock, authority, signal, reservedForCalls = 0, idleMs = 30_000 } = options
    this.#opened = opened
    this.#signal = signal
    signal.addEventListener('abort', this.#onAbort, { once: true })
    this.#clock = clock
    this.#idleMs = idleMs
    this.closed = new Promise((resolve) => socket.once('close', () => resolve()))
    this.#connection = new Connection({
      socket,
      clock,
      authority,
      reservedForCalls,
      onOpen: () => this.#endOpening()?.resolve(this),
      onSettingsAck: () => this.#cancelSettings(),
      onPingAnswer: () => this.#heartbeat.recordAnswer(),
      onDraining: () => {
        for (const listener of this.#onDraining) listener()
      },
      onClosed: (error) => this.#stop(error),
    })
    this.#heartbeat = this.#newHeartbeat(options)
    this.#limitSettings(options.settingsTimeoutMs ?? 10_000)
    this.#listen(options)
    this.#watchIdle(-1)
  }

  /** Resolves when the server has sent its settings; rejects if it does not send them in time. */
  static open(options: Http2SessionOptions): Promise<Http2Session> {
    const { signal, socket } = options
    return new Promise((resolve, reject) => {
      if (signal.aborted) socket.destroy()
      signal.throwIfAborted()
      new Http2Session(options, { resolve, reject })
    })
  }

  /** Whether the session takes new requests. */
  get isOpen(): boolean {
    return this.#connection.isOpen
  }

  /** A number that grows with everything that arrives. */
  get reads(): number {
    return this.#connection.reads
  }

  /** How many more requests of a kind could be sent at once; below 1 they wait. */
  free(kind: StreamKind): number {
    return this.#connection.streams.free(kind)
  }

  /** How many requests are under way or wait. */
  get size(): number {
    return this.#connection.streams.size
  }

  /**
   * Sends a request and reads the whole answer. Rejects with `Http2Error`, with the error of `beforeSend`, with the
   * signal's reason, or with `AnswerTooLarge`.
   */
  request(call: Http2Call): Promise<Http2Answer> {
    return new Promise((resolve, reject) => {
      this.#connection.add(new CallExchange(call, this.#connection, { resolve, reject }))
    })
  }

  /** Sends a request whose answer goes to a handler as it arrives. */
  watch(request: Http2Request, handler: WatchHandler): Watch {
    const watch = new Watch(request, this.#connection, handler)
    this.#connection.add(watch)
    return watch
  }

  /** Calls `listener` when the session takes no more requests. */
  onDraining(listener: () => void): void {
    this.#onDraining.push(listener)
  }

  /** Sends a PING now, so that a connection that went silent is found sooner. */
  probe(): void {
    this.#heartbeat.probe()
  }

  /** Takes no new requests from now on. Resolves when the last request has ended and the session is closed. */
  drain(): Promise<void> {
    this.#connection.drain()
    return this.closed
  }

  /** Ends the session and its requests. */
  destroy(error: Error): void {
    this.#connection.lose(error)
  }

  /** Returns the promise that waits for the session to open, once. */
  #endOpening(): OpenPromise | undefined {
    const opened = this.#opened
    this.#opened = undefined
    this.#signal.removeEventListener('abort', this.#onAbort)
    return opened
  }

  /** Passes what the socket reads to the connection, and reports the end of the socket. */
  #listen({ socket, readBuffer }: Http2SessionOptions): void {
    const lost = (cause?: Error) => {
      const reason = cause?.message ?? 'the server closed the connection'
      const code = cause && 'code' in cause ? String(cause.code) : failure.connection
      this.#connection.lose(new ConnectionLost(reason, { code, ...(cause && { cause }) }))
    }
    socket.on('error', lost)
    socket.once('end', () => lost())
    socket.once('close', () => lost())
    const receive = (chunk: Uint8Array) => this.#connection.receive(chunk)
    readBuffer?.attach(receive)
    socket.on('data', receive)
  }

  /** Makes the heartbeat, which destroys the session if the server does not answer a PING. */
  #newHeartbeat(options: Http2SessionOptions): Heartbeat {
    const { clock, pingIntervalMs = 10_000, pingTimeoutMs = 6_000, onSilent } = options
    const payload = Buffer.from('liveness')
    const onUnanswered = () => {
      const reason = `the connection went silent: no answer to a PING within ${pingTimeoutMs} ms`
      const error = new ConnectionLost(reason, { code: failure.silent })
      onSilent?.(error)
      this.destroy(error)
      options.socket.destroy()
    }
    const ping = () => this.#connection.writer.ping(payload, false)
    const reads = () => this.#connection.reads
    return new Heartbeat({ clock, pingIntervalMs, pingTimeoutMs, ping, reads, onSilent: onUnanswered })
  }

  /** Aborts the connection if the server does not send its settings and accept ours in time. */
  #limitSettings(timeoutMs: number): void {
    this.#cancelSettings = this.#clock.schedule(timeoutMs, () => {
      const message = this.#opened
        ? `the server sent no HTTP/2 settings within ${timeoutMs} ms`
        : `the server did not accept our HTTP/2 settings within ${timeoutMs} ms`
      this.#connection.abort(errorCode.settingsTimeout, message)
    })
  }

  /** Ends the session if no request was made since the last check; checks again after the idle time. */
  #watchIdle(lastId: number): void {
    const { streams } = this.#connection
    this.#cancelIdle = this.#clock.schedule(this.#idleMs, () => {
      if (streams.size === 0 && streams.lastId === lastId) this.#connection.drain()
      else this.#watchIdle(streams.lastId)
    })
  }

  /** Called when the connection has closed. */
  #stop(error: Error): void {
    this.#heartbeat.stop()
    this.#cancelSettings()
    this.#cancelIdle()
    this.#endOpening()?.reject(error)
  }
}

/** The promise of a session that is being opened. */
interface OpenPromise {
  resolve(session: Http2Session): void
  reject(error: Error): void
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason))
}
