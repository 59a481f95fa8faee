import type { Exchange } from './exchange.js'
import { type FrameWriter, maxSentFrame } from './frame-writer.js'
import { ConnectionError, defaultWindow, errorCode, maxWindow, StreamError } from './protocol.js'

/**
 * Sends the bodies of requests as the server's windows allow. Waiting bodies take turns, a frame each, so that a large
 * body does not hold up the others.
 */
export class BodySender {
  readonly #writer: FrameWriter
  readonly #onComplete: (exchange: Exchange) => void
  readonly #waiting = new Set<Exchange>()
  /** How many bytes the server accepts on all streams together. */
  #window = defaultWindow
  #initialWindow = defaultWindow

  /** `onComplete` is called with each request whose last frame was written. */
  constructor(writer: FrameWriter, onComplete: (exchange: Exchange) => void) {
    this.#writer = writer
    this.#onComplete = onComplete
  }

  /** The window of a new stream, in bytes. */
  get initialWindow(): number {
    return this.#initialWindow
  }

  /** Sends a body of `bytes` bytes, now or in parts. */
  send(exchange: Exchange, body: string | Uint8Array, bytes: number): void {
    const fits = bytes <= Math.min(this.#window, exchange.sendWindow, maxSentFrame)
    if (fits && typeof body === 'string' && this.#waiting.size === 0) {
      this.#window -= bytes
      exchange.isSendingOver = true
      this.#writer.text(exchange.streamId, body, bytes)
      this.#onComplete(exchange)
      return
    }
    exchange.body = typeof body === 'string' ? Buffer.from(body) : body
    this.#waiting.add(exchange)
    this.sendWaiting()
  }

  /** Sends nothing more of a body: its exchange was reset. */
  remove(exchange: Exchange): void {
    this.#waiting.delete(exchange)
  }

  /** Adds to the window of the connection. Throws {@link ConnectionError} if it becomes too large. */
  widen(bytes: number): void {
    this.#window += bytes
    if (this.#window > maxWindow) throw new ConnectionError(errorCode.flowControlError, tooLarge)
    this.sendWaiting()
  }

  /** Adds to the window of a stream. Throws {@link StreamError} if it becomes too large. */
  widenStream(exchange: Exchange, bytes: number): void {
    exchange.sendWindow += bytes
    if (exchange.sendWindow > maxWindow)
      throw new StreamError(exchange.streamId, errorCode.flowControlError, tooLarge)
    if (exchange.body !== undefined) this.sendWaiting()
  }

  /** Follows the server's SETTINGS_INITIAL_WINDOW_SIZE, which changes the windows of open streams, too. */
  setInitialWindow(size: number, open: readonly Exchange[]): void {
    const change = size - this.#initialWindow
    this.#initialWindow = size
    for (const exchange of open) {
      exchange.sendWindow += change
      if (exchange.sendWindow > maxWindow) throw new ConnectionError(errorCode.flowControlError, tooLarge)
    }
    this.sendWaiting()
  }

  /** Sends what the windows allow. */
  sendWaiting(): void {
    for (let hasSent = true; hasSent; ) {
      hasSent = false
      for (const exchange of this.#waiting) if (this.#sendFrame(exchange)) hasSent = true
    }
  }

  /** Sends one frame of a body, of the size that the windows allow. Returns whether something was sent. */
  #sendFrame(exchange: Exchange): boolean {
    const { body, bodySent, sendWindow } = exchange
    if (body === undefined || this.#writer.isBacklogged) return false
    const bytes = Math.min(body.length - bodySent, sendWindow, this.#window, maxSentFrame)
    if (bytes <= 0) return false
    this.#window -= bytes
    exchange.sendWindow -= bytes
    exchange.bodySent += bytes
    const isLast = exchange.bodySent === body.length
    this.#writer.data(exchange.streamId, body.subarray(bodySent, exchange.bodySent), isLast)
    if (isLast) this.#finish(exchange)
    return true
  }

  /** Called after the last frame of a body. */
  #finish(exchange: Exchange): void {
    this.#waiting.delete(exchange)
    exchange.isSendingOver = true
    exchange.body = undefined
    this.#onComplete(exchange)
  }
}

const tooLarge = 'the server made a window too large'
