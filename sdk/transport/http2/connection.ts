import type { Duplex } from 'node:stream'
import type { Clock } from '../../time/clock.js'
import type { Exchange, ExchangeOwner } from './exchange.js'
import { FrameParser } from './frame-parser.js'
import { FrameWriter } from './frame-writer.js'
import { maxHeaderListBytes } from './header-list.js'
import { CompressionError } from './hpack/compression-error.js'
import { ConnectionLost, failure, Http2Error } from './http2-error.js'
import { IncomingFrames, type PeerEvents } from './incoming-frames.js'
import { readSettings } from './peer-settings.js'
import { ConnectionError, errorCode, errorName, StreamError, setting } from './protocol.js'
import { ReceiveWindows, streamWindow } from './receive-windows.js'
import { RequestSender } from './request-sender.js'
import { Streams } from './streams.js'

/** Options of {@link Connection}. */
export interface ConnectionOptions {
  socket: Duplex & { destroySoon?: () => void }
  clock: Clock
  /** Host and port, for requests and for errors. */
  authority: string
  reservedForCalls: number
  /** The server's first SETTINGS came. */
  onOpen: () => void
  onSettingsAck: () => void
  onPingAnswer: () => void
  /** The connection takes no requests any more: it ended, or it ends with its last stream. */
  onDraining: () => void
  onClosed: (error: Error) => void
}

type State = 'opening' | 'open' | 'draining' | 'closed'

/** Time that the server has to read the last frames before the socket is destroyed, in milliseconds. */
const lingerMs = 1000

/**
 * After as many resets with ENHANCE_YOUR_CALM in a row no request is sent. Node's server resets a stream that comes too early; one
 * that has no memory left for a connection resets all, on Node 20 for good.
 */
const mostCalmResets = 3

/** One HTTP/2 connection: what happens to it, and to the exchanges on it, with each event of either side. */
export class Connection implements PeerEvents, ExchangeOwner {
  readonly streams: Streams
  readonly writer: FrameWriter
  readonly #options: ConnectionOptions
  readonly #sender: RequestSender
  readonly #windows: ReceiveWindows
  readonly #parser: FrameParser
  #state: State = 'opening'
  /** How many streams were reset with ENHANCE_YOUR_CALM since an answered one ended. */
  #calmResets = 0
  /** How many chunks arrived. */
  reads = 0

  constructor(options: ConnectionOptions) {
    const { socket, authority, reservedForCalls } = options
    this.#options = options
    this.writer = new FrameWriter({
      socket,
      onWritable: () => this.#sendWaiting(),
      onFlood: () => this.abort(errorCode.enhanceYourCalm, 'the server does not read what it makes us send'),
    })
    this.streams = new Streams({
      reservedForCalls,
      mayBegin: () => this.#state === 'open' && !this.writer.isBacklogged,
      begin: (exchange) => this.#begin(exchange),
    })
    this.#sender = new RequestSender({ writer: this.writer, streams: this.streams, authority })
    this.#windows = new ReceiveWindows(this.writer)
    this.#parser = new FrameParser(
      new IncomingFrames({ events: this, streams: this.streams, windows: this.#windows }),
    )
    this.#greet()
  }

  /** Whether new requests are taken. */
  get isOpen(): boolean {
    return this.#state === 'open'
  }

  /** Takes what the socket read. */
  receive(chunk: Uint8Array): void {
    if (this.#state === 'closed') return
    this.reads += 1
    try {
      this.#parser.push(chunk)
    } catch (error) {
      this.#abortFor(error)
    }
  }

  /** Begins an exchange now or later, or fails it. */
  add(exchange: Exchange): void {
    const { signal } = exchange.request
    if (signal.aborted) exchange.fail(signal.reason)
    else if (this.#state !== 'open') this.#failUnsent(exchange, failure.closed, 'the connection ends')
    else this.streams.add(exchange)
    if (this.streams.isExhausted) this.drain()
  }

  cancel(exchange: Exchange, reason: unknown): void {
    this.#reset(exchange, errorCode.cancel)
    exchange.fail(reason)
  }

  release(exchange: Exchange, bytes: number): void {
    this.#windows.release(exchange, bytes)
  }

  remove(exchange: Exchange): void {
    if (exchange.isAnswered) this.#calmResets = 0
    // The answer is complete before the request is: the server ignores the rest of the request.
    if (!exchange.isSendingOver) this.#reset(exchange, errorCode.cancel)
    this.streams.remove(exchange)
    if (this.#state === 'open') this.streams.beginWaiting()
    else if (this.#state === 'draining') this.#endIfUnused()
  }

  /** Takes no new requests; ends with the last stream. */
  drain(): void {
    if (this.#state === 'draining' || this.#state === 'closed') return
    this.#state = 'draining'
    this.#options.onDraining()
    for (const exchange of this.streams.waiting())
      this.#failUnsent(exchange, failure.goaway, 'the connection ends before the request began')
    this.#endIfUnused()
  }

  /** Ends the connection with an error code. */
  abort(code: number, message: string, cause?: unknown): void {
    if (this.#state === 'closed') return
    this.writer.goaway(code, message)
    this.writer.flush()
    this.lose(new ConnectionLost(`${message} (${errorName(code)})`, { code: failure.connection, cause }))
  }

  /** Ends the connection and all exchanges. */
  lose(error: Error): void {
    if (this.#state === 'closed') return
    const wasDraining = this.#state === 'draining'
    this.#state = 'closed'
    this.writer.close()
    for (const exchange of this.streams.waiting()) this.#failFor(exchange, error)
    for (const exchange of this.streams.open()) this.#failFor(exchange, error)
    this.#closeSocket()
    if (!wasDraining) this.#options.onDraining()
    this.#options.onClosed(error)
  }

  onSettings(payload: Uint8Array): void {
    this.#sender.follow(readSettings(payload))
    this.writer.settingsAck()
    if (this.#state !== 'opening') return
    this.#state = 'open'
    this.#options.onOpen()
  }

  onSettingsAck(): void {
    this.#options.onSettingsAck()
  }

  onPing(payload: Uint8Array): void {
    this.writer.ping(payload, true)
  }

  onPingAnswer(): void {
    this.#options.onPingAnswer()
  }

  onGoaway(lastStreamId: number, code: number): void {
    this.drain()
    const reason = `the server ended the connection before it began the request (${errorName(code)})`
    for (const exchange of this.streams.open()) {
      if (exchange.streamId <= lastStreamId) continue
      exchange.isSendingOver = true
      this.#failUnsent(exchange, failure.goaway, reason)
    }
  }

  onWindowUpdate(increment: number): void {
    this.#sender.bodies.widen(increment)
  }

  onStreamWindowUpdate(exchange: Exchange, increment: number): void {
    this.#sender.bodies.widenStream(exchange, increment)
  }

  onReset(exchange: Exchange, code: number): void {
    exchange.isSendingOver = true
    this.#sender.bodies.remove(exchange)
    const sent = code !== errorCode.refusedStream
    this.#fail(exchange, `the stream was reset by the server (${errorName(code)})`, {
      code: failure.stream,
      sent,
    })
    if (code === errorCode.enhanceYourCalm && ++this.#calmResets >= mostCalmResets) this.drain()
  }

  onStreamFailed(streamId: number, error: unknown): void {
    const exchange = this.streams.get(streamId)
    const code = error instanceof StreamError ? error.errorCode : errorCode.cancel
    if (exchange !== undefined) this.#reset(exchange, code)
    else if (streamId <= this.streams.lastId) this.#resetClosed(streamId, code)
    if (!(error instanceof StreamError)) exchange?.fail(error)
    else if (exchange) this.#fail(exchange, error.message, { code: failure.stream, sent: true })
  }

  #greet(): void {
    this.writer.preface()
    this.writer.settings([
      [setting.enablePush, 0],
      [setting.initialWindowSize, streamWindow],
      [setting.maxHeaderListSize, maxHeaderListBytes],
    ])
    this.#windows.announce()
    this.writer.flush()
  }

  #begin(exchange: Exchange): void {
    const problem = this.#sender.problemOf(exchange)
    if (problem !== undefined) this.#failUnsent(exchange, failure.invalidRequest, problem)
    try {
      if (!exchange.isOver) exchange.request.beforeSend?.()
    } catch (error) {
      exchange.isSendingOver = true
      exchange.fail(error)
    }
    if (!exchange.isOver) this.#sender.send(exchange)
  }

  #sendWaiting(): void {
    this.#sender.bodies.sendWaiting()
    this.streams.beginWaiting()
  }

  #reset(exchange: Exchange, code: number): void {
    this.#sender.bodies.remove(exchange)
    exchange.isSendingOver = true
    if (exchange.streamId === 0 || this.#state === 'closed') return
    this.#resetClosed(exchange.streamId, code)
  }

  #resetClosed(streamId: number, code: number): void {
    this.streams.noteReset(streamId)
    this.writer.resetStream(streamId, code)
  }

  #abortFor(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error)
    if (error instanceof ConnectionError) this.abort(error.errorCode, `the server broke HTTP/2: ${message}`)
    else if (error instanceof CompressionError)
      this.abort(errorCode.compressionError, `the server broke HTTP/2: ${message}`)
    else this.abort(errorCode.internalError, 'reading a frame failed', error)
  }

  #endIfUnused(): void {
    if (this.streams.size > 0) return
    this.writer.goaway()
    this.writer.flush()
    this.lose(new ConnectionLost('the connection was ended by this program', { code: failure.closed }))
  }

  #closeSocket(): void {
    const { socket, clock } = this.#options
    if (socket.destroyed) return
    const cancel = clock.schedule(lingerMs, () => socket.destroy())
    socket.once('close', cancel)
    if (socket.destroySoon) socket.destroySoon()
    else socket.end()
  }

  #failFor(exchange: Exchange, error: Error): void {
    const code = 'code' in error ? String(error.code) : failure.connection
    const sent = exchange.streamId > 0 && this.writer.writes > exchange.writesBefore
    this.#fail(exchange, error.message, { code, sent, cause: error })
  }

  #failUnsent(exchange: Exchange, code: string, reason: string): void {
    this.#fail(exchange, reason, { code, sent: false })
  }

  #fail(exchange: Exchange, reason: string, rest: { code: string; sent: boolean; cause?: unknown }): void {
    const { method, path } = exchange.request
    exchange.isSendingOver = true
    exchange.fail(new Http2Error({ method, path, host: this.#options.authority }, reason, rest))
  }
}
