import { closeSocket } from './close-socket.js'
import type { ConnectionOptions } from './connection-options.js'
import type { Exchange, ExchangeOwner } from './exchange.js'
import { ExchangeFailures } from './exchange-failures.js'
import { FrameParser } from './frame-parser.js'
import { FrameWriter } from './frame-writer.js'
import { goawayFor } from './goaway-for.js'
import { greet } from './greeting.js'
import { ConnectionLost, failure } from './http2-error.js'
import { IncomingFrames, type PeerEvents } from './incoming-frames.js'
import { readPeerSettings } from './peer-settings.js'
import { errorCode, errorName, StreamError } from './protocol.js'
import { ReceiveWindows } from './receive-windows.js'
import { RequestSender } from './request-sender.js'
import { Streams } from './streams.js'
import { UnwrittenRequests } from './unwritten-requests.js'

type State = 'opening' | 'open' | 'draining' | 'closed'

/**
 * The number of resets with ENHANCE_YOUR_CALM in a row after which no request is sent. Node's server resets a stream
 * that comes too early. A server without memory for a connection resets all its streams, on Node 20 for good.
 */
const maxCalmResets = 3

/** One HTTP/2 connection, and what each event of either side does to it and to its exchanges. */
export class Connection implements PeerEvents, ExchangeOwner {
  readonly streams: Streams
  readonly writer: FrameWriter
  readonly #options: ConnectionOptions
  readonly #sender: RequestSender
  readonly #windows: ReceiveWindows
  readonly #parser: FrameParser
  readonly #failures: ExchangeFailures
  #state: State = 'opening'
  /** How many streams were reset with ENHANCE_YOUR_CALM since the last answered stream ended. */
  #calmResets = 0
  /** Complete requests whose octets were not written yet. */
  readonly #unwritten = new UnwrittenRequests()
  /** The number of chunks that arrived. */
  reads = 0

  constructor(options: ConnectionOptions) {
    const { socket, authority, reservedForCalls } = options
    this.#options = options
    this.writer = new FrameWriter({
      socket,
      mayWrite: () =>
        this.#unwritten.areAllowed({
          stopWriting: () => this.writer.close(),
          end: (error) => this.lose(error),
        }),
      onWritable: () => this.#sendWaiting(),
      onFlood: () => this.abort(errorCode.enhanceYourCalm, 'the server does not read what it makes us send'),
    })
    this.streams = new Streams({
      reservedForCalls,
      mayBegin: () => this.#state === 'open' && !this.writer.isBacklogged,
      begin: (exchange) => this.#begin(exchange),
    })
    const onComplete = (exchange: Exchange) => this.#unwritten.add(exchange)
    this.#sender = new RequestSender({ writer: this.writer, streams: this.streams, authority, onComplete })
    this.#windows = new ReceiveWindows(this.writer)
    this.#failures = new ExchangeFailures(authority)
    this.#parser = new FrameParser(
      new IncomingFrames({ events: this, streams: this.streams, windows: this.#windows }),
    )
    greet(this.writer, this.#windows)
  }

  /** Whether new requests are taken. */
  get isOpen(): boolean {
    return this.#state === 'open'
  }

  /** Handles a chunk that the socket read. */
  receive(chunk: Uint8Array): void {
    if (this.#state === 'closed') return
    this.reads += 1
    try {
      this.#parser.push(chunk)
    } catch (error) {
      const { code, message } = goawayFor(error)
      this.abort(code, message, error)
    }
  }

  /** Begins an exchange now or when the connection is ready, or fails it. */
  add(exchange: Exchange): void {
    const { signal } = exchange.request
    if (signal.aborted) exchange.fail(signal.reason)
    else if (this.#state !== 'open')
      this.#failures.failUnsent(exchange, failure.closed, 'the connection ends')
    else this.streams.add(exchange)
    if (this.streams.isExhausted) this.drain()
  }

  /** Called when the caller of an exchange gives it up. */
  cancel(exchange: Exchange, reason: unknown): void {
    this.#reset(exchange, errorCode.cancel)
    exchange.fail(reason)
  }

  /** Called when the reader of an answer has processed bytes, so that the server may send as many more. */
  release(exchange: Exchange, bytes: number): void {
    this.#windows.release(exchange, bytes)
  }

  /** Called by each exchange when it is over. Its stream goes to the next waiting exchange. */
  remove(exchange: Exchange): void {
    if (exchange.isAnswered) this.#calmResets = 0
    // The answer is complete before the request is: the server ignores the rest of the request.
    if (!exchange.isSendingOver) this.#reset(exchange, errorCode.cancel)
    this.streams.remove(exchange)
    if (this.#state === 'open') this.streams.beginWaiting()
    else if (this.#state === 'draining') this.#endIfUnused()
  }

  /** Takes no new requests from now on; the connection ends with its last stream. */
  drain(): void {
    if (this.#state === 'draining' || this.#state === 'closed') return
    this.#state = 'draining'
    this.#options.onDraining()
    for (const exchange of this.streams.waiting())
      this.#failures.failUnsent(exchange, failure.goaway, 'the connection ends before the request began')
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
    for (const exchange of this.streams.waiting())
      this.#failures.failConnection(exchange, error, this.writer.writes)
    for (const exchange of this.streams.open())
      this.#failures.failConnection(exchange, error, this.writer.writes)
    closeSocket(this.#options.socket, this.#options.clock)
    if (!wasDraining) this.#options.onDraining()
    this.#options.onClosed(error)
  }

  onSettings(payload: Uint8Array): void {
    const settings = readPeerSettings(payload)
    // Some servers follow their own settings only from the acknowledgement on.
    this.writer.settingsAck()
    this.#sender.follow(settings)
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
      this.#failures.failUnsent(exchange, failure.goaway, reason)
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
    this.#failures.failStream(exchange, `the stream was reset by the server (${errorName(code)})`, sent)
    if (code === errorCode.enhanceYourCalm && ++this.#calmResets >= maxCalmResets) this.drain()
  }

  onStreamFailed(streamId: number, error: unknown): void {
    const exchange = this.streams.get(streamId)
    const code = error instanceof StreamError ? error.errorCode : errorCode.cancel
    if (exchange !== undefined) this.#reset(exchange, code)
    else if (streamId <= this.streams.lastId) this.#resetStream(streamId, code)
    if (!(error instanceof StreamError)) exchange?.fail(error)
    else if (exchange) this.#failures.failStream(exchange, error.message, true)
  }

  /** Sends an exchange that got a stream, unless HTTP/2 cannot carry it or `beforeSend` throws. */
  #begin(exchange: Exchange): void {
    const problem = this.#sender.problemOf(exchange)
    if (problem !== undefined) this.#failures.failUnsent(exchange, failure.invalidRequest, problem)
    try {
      if (!exchange.isOver) exchange.request.beforeSend?.()
    } catch (error) {
      exchange.isSendingOver = true
      exchange.fail(error)
    }
    if (!exchange.isOver) this.#sender.send(exchange)
  }

  /** Called when the socket has written the backlog. */
  #sendWaiting(): void {
    this.#sender.bodies.sendWaiting()
    this.streams.beginWaiting()
  }

  /** Resets the stream of an exchange, if it has one, and sends nothing more of its body. */
  #reset(exchange: Exchange, code: number): void {
    this.#sender.bodies.remove(exchange)
    exchange.isSendingOver = true
    if (exchange.streamId === 0 || this.#state === 'closed') return
    this.#resetStream(exchange.streamId, code)
  }

  /** Sends RST_STREAM, also for a stream whose exchange is over. */
  #resetStream(streamId: number, code: number): void {
    this.streams.noteReset(streamId)
    this.writer.resetStream(streamId, code)
  }

  /** Ends a draining connection after its last exchange. */
  #endIfUnused(): void {
    if (this.streams.size > 0) return
    this.writer.goaway()
    this.writer.flush()
    this.lose(new ConnectionLost('the connection was ended by this program', { code: failure.closed }))
  }
}
