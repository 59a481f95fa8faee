import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from 'node:http2'
import type { TLSSocket } from 'node:tls'
import type { CancelToken } from '../time/cancellation.js'
import type { Clock } from '../time/clock.js'
import { FailedAttempt, flattenHeaders } from './attempt.js'
import type { Sendable } from './http-exchange.js'
import type { TransportStream } from './transport.js'

/** How a connection is proved to be alive. */
export interface Heartbeat {
  /** A PING goes out this long after the last one was answered, in milliseconds; default 10,000. */
  pingIntervalMs?: number
  /** A PING without an answer for this long means that the connection is dead, in milliseconds; default 6,000. */
  pingTimeoutMs?: number
}

/** Options of {@link WatchSession.open}. */
export interface WatchSessionOptions extends Heartbeat {
  /** A connection that agreed on `h2`. */
  socket: TLSSocket
  url: URL
  clock: Clock
  /** Ends a session that is still being opened. */
  signal: AbortSignal
  /** Told when a PING was not answered, before the session ends for that reason. */
  onSilent: (error: Error) => void
}

// After a late answer to a PING the event loop gets this much to read what is already there.
const graceMs = 1_000
const idleMs = 30_000
/** How long the server may take to send its settings, once there is a connection. */
const settingsTimeoutMs = 10_000

/**
 * One HTTP/2 connection that carries many watches. PINGs prove that it is alive: a connection that went
 * silent ends with its watches 17 s after the last sign of life at the latest. After a GOAWAY Node closes it
 * for new watches and lets the running ones go on; when it carries none for 30 s it closes.
 */
export class WatchSession {
  /** Resolves when the session has ended. */
  readonly closed: Promise<void>
  readonly #session: ClientHttp2Session
  readonly #clock: Clock
  readonly #heartbeat: Required<Heartbeat>
  readonly #onSilent: (error: Error) => void
  #reserved = 0
  #draining = false
  #cancelBeat = () => {}
  #cancelIdle = () => {}

  private constructor(session: ClientHttp2Session, options: WatchSessionOptions) {
    const { clock, pingIntervalMs = 10_000, pingTimeoutMs = 6_000 } = options
    this.#session = session
    this.#clock = clock
    this.#heartbeat = { pingIntervalMs, pingTimeoutMs }
    this.#onSilent = options.onSilent
    this.closed = new Promise((resolve) => session.once('close', resolve)).then(() => this.#stopTimers())
    this.#beat()
    this.#rest()
  }

  /** Resolves when the server has said how many streams it allows; rejects if it does not within ten seconds. */
  static open(options: WatchSessionOptions): Promise<WatchSession> {
    const { socket, url, clock, signal } = options
    const session = connect(url.origin, {
      createConnection: () => socket,
      settings: { enablePush: false, initialWindowSize: 1024 * 1024 },
    })
    const onAbort = () => session.destroy(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    const cancel = clock.schedule(settingsTimeoutMs, () =>
      session.destroy(new Error(`the server sent no HTTP/2 settings within ${settingsTimeoutMs} ms`)),
    )
    const opened = new Promise<WatchSession>((resolve, reject) => {
      session.once('connect', () => {
        if (!session.destroyed) session.setLocalWindowSize(16 * 1024 * 1024)
      })
      session.once('error', reject)
      session.once('close', () => reject(new Error('the connection closed before the HTTP/2 settings came')))
      session.once('remoteSettings', () => {
        // Whatever breaks the session breaks its streams too, which is where it is reported.
        session.on('error', () => {})
        resolve(new WatchSession(session, options))
      })
    })
    return opened.finally(() => {
      cancel()
      signal.removeEventListener('abort', onAbort)
    })
  }

  /** Takes a place for one watch; false if there is none. The caller then calls {@link stream}. */
  reserve(): boolean {
    const limit = this.#session.remoteSettings?.maxConcurrentStreams ?? 100
    if (this.#draining || this.#session.closed || this.#session.destroyed) return false
    if (this.#reserved >= limit) return false
    this.#reserved += 1
    this.#cancelIdle()
    return true
  }

  /** Sends a request in a reserved place and resolves with the headers of its answer. */
  async stream(request: Sendable): Promise<TransportStream> {
    const stream = this.#request(request)
    const closed = new Promise<void>((resolve) => stream.once('close', resolve)).then(() => this.#release())
    // A reader of the body gets the error there. Without a reader it is not unhandled.
    stream.on('error', () => {})
    const abort = () => {
      stream.close(constants.NGHTTP2_CANCEL)
      stream.destroy()
    }
    request.signal.addEventListener('abort', abort, { once: true })
    stream.once('close', () => request.signal.removeEventListener('abort', abort))
    const { ':status': status = 0, ...headers } = await answerOf(stream, request.signal)
    return { status, headers: flattenHeaders(headers), chunks: chunksOf(stream, closed, request.signal) }
  }

  /** Takes no new watches; ends with the last one, and then resolves. */
  retire(): Promise<void> {
    this.#draining = true
    if (this.#reserved === 0) this.#session.close()
    return this.closed
  }

  /** Ends the session and its watches. */
  destroy(error: Error): void {
    this.#session.destroy(error)
  }

  #request({ path, method, headers, beforeSend }: Sendable): ClientHttp2Stream {
    try {
      beforeSend?.()
    } catch (error) {
      this.#release()
      throw error
    }
    try {
      return this.#session.request({ ':method': method, ':path': path, ...headers }, { endStream: true })
    } catch (error) {
      this.#release()
      throw new FailedAttempt(error, { sent: false })
    }
  }

  #release(): void {
    this.#reserved -= 1
    if (this.#reserved > 0 || this.#session.closed) return
    if (this.#draining) this.#session.close()
    else this.#rest()
  }

  #rest(): void {
    this.#cancelIdle = this.#clock.schedule(idleMs, () => void this.retire())
  }

  #stopTimers(): void {
    this.#cancelBeat()
    this.#cancelIdle()
  }

  #beat(): void {
    this.#cancelBeat = this.#clock.schedule(this.#heartbeat.pingIntervalMs, () => this.#ping())
  }

  #ping(): void {
    // A broken session closes a moment later, and a PING would throw until then.
    if (this.#session.destroyed) return
    const { pingTimeoutMs } = this.#heartbeat
    const dead = () => {
      const error = new SilentConnection(pingTimeoutMs)
      this.#onSilent(error)
      this.destroy(error)
    }
    this.#cancelBeat = this.#clock.schedule(pingTimeoutMs, () => {
      this.#cancelBeat = this.#clock.schedule(graceMs, dead)
    })
    this.#session.ping((error) => {
      this.#cancelBeat()
      if (!error) this.#beat()
    })
  }
}

class SilentConnection extends Error {
  readonly code = 'SILENT_CONNECTION'

  constructor(pingTimeoutMs: number) {
    super(`the connection went silent: no answer to a PING within ${pingTimeoutMs} ms`)
  }
}

type AnswerHeaders = Record<string, unknown> & { ':status'?: number }

function answerOf(stream: ClientHttp2Stream, signal: CancelToken): Promise<AnswerHeaders> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) =>
      reject(signal.aborted ? signal.reason : new FailedAttempt(error, { sent: true }))
    stream.once('response', resolve)
    stream.once('error', fail)
    stream.once('close', () => fail(resetOf(stream)))
  })
}

async function* chunksOf(
  stream: ClientHttp2Stream,
  closed: Promise<void>,
  signal: CancelToken,
): AsyncGenerator<Uint8Array> {
  try {
    yield* untilClosed(stream)
    // A reset, or a connection that closed, looks like an end to the reader of the stream.
    if (stream.rstCode !== constants.NGHTTP2_NO_ERROR) throw resetOf(stream)
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  } finally {
    stream.close(constants.NGHTTP2_CANCEL)
    // Until then its place in the session is taken, and a watch that is opened again would need another one.
    await closed
  }
}

/** Node 24 closes a stream that has ended before it says that it has; the reset code tells whether it ended well. */
async function* untilClosed(stream: ClientHttp2Stream): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of stream) yield chunk
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE'))
      throw error
  }
}

function resetOf(stream: ClientHttp2Stream): Error {
  const error = new Error(`the stream was reset (HTTP/2 code ${stream.rstCode})`)
  return Object.assign(error, { code: 'ERR_HTTP2_STREAM_ERROR' })
}
