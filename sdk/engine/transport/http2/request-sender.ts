import { BodySender } from './body-sender.js'
import type { Exchange } from './exchange.js'
import type { FrameWriter } from './frame-writer.js'
import { HeaderEncoder } from './hpack/header-encoder.js'
import type { PeerSettings } from './peer-settings.js'
import { streamWindow } from './receive-windows.js'
import { encodeRequest, RequestCheck } from './request-headers.js'
import type { Streams } from './streams.js'

/** Options of {@link RequestSender}. */
export interface RequestSenderOptions {
  writer: FrameWriter
  streams: Streams
  /** The server's name and port as requests name them. */
  authority: string
  /**
   * Called with each request whose last frame was written. The server acts on a request when it receives that frame.
   */
  onComplete: (exchange: Exchange) => void
}

/** Writes requests according to the server's settings. */
export class RequestSender {
  readonly bodies: BodySender
  readonly #options: RequestSenderOptions
  readonly #check = new RequestCheck()
  readonly #encoder = new HeaderEncoder()
  #maxListBytes = Number.POSITIVE_INFINITY

  constructor(options: RequestSenderOptions) {
    this.#options = options
    this.bodies = new BodySender(options.writer, options.onComplete)
  }

  /** Returns why HTTP/2, or this server, cannot accept a request; `undefined` if it can. */
  problemOf(exchange: Exchange): string | undefined {
    return this.#check.problemOf(exchange.request, this.#maxListBytes)
  }

  /** Writes a request that has no problem, and as much of its body as the windows allow. */
  send(exchange: Exchange): void {
    const { writer, streams, authority, onComplete } = this.#options
    const { request } = exchange
    const body = request.body?.length ? request.body : undefined
    const bodyBytes = body === undefined ? undefined : Buffer.byteLength(body)
    const streamId = streams.assignId(exchange)
    exchange.sendWindow = this.bodies.initialWindow
    exchange.receiveWindow = streamWindow
    exchange.writesBefore = writer.writes
    writer.headers(streamId, encodeRequest(this.#encoder, request, { authority, bodyBytes }), !body)
    if (body === undefined) {
      exchange.isSendingOver = true
      onComplete(exchange)
    } else {
      this.bodies.send(exchange, body, bodyBytes ?? 0)
    }
  }

  /** Applies settings of the server. Throws `ConnectionError` for a window that becomes too large. */
  follow(settings: PeerSettings): void {
    const { streams } = this.#options
    const { headerTableSize, maxConcurrentStreams, maxHeaderListSize, initialWindowSize } = settings
    if (headerTableSize !== undefined) this.#encoder.setTableSize(headerTableSize)
    if (maxConcurrentStreams !== undefined) streams.setLimit(maxConcurrentStreams)
    if (maxHeaderListSize !== undefined) this.#maxListBytes = maxHeaderListSize
    if (initialWindowSize !== undefined) this.bodies.setInitialWindow(initialWindowSize, streams.open())
    streams.beginWaiting()
  }
}
