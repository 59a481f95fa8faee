import type { Exchange } from './exchange.js'
import type { FrameWriter } from './frame-writer.js'
import { ConnectionError, defaultWindow, errorCode, StreamError } from './protocol.js'

/** How many bytes the server may send on one stream before the reader takes some of them. */
export const streamWindow = 1024 * 1024
/**
 * How many bytes the server may send on all streams together. They are given back on arrival, so a slow reader holds up
 * only its own stream.
 */
const connectionWindow = 16 * 1024 * 1024

/** The flow-control windows for answers. Updates are collected until half a window is free. */
export class ReceiveWindows {
  readonly #writer: FrameWriter
  #window = connectionWindow
  #unannounced = 0

  constructor(writer: FrameWriter) {
    this.#writer = writer
  }

  /** Announces the connection's window, whose size SETTINGS cannot contain. */
  announce(): void {
    this.#writer.windowUpdate(0, connectionWindow - defaultWindow)
  }

  /** Records a DATA frame. Throws if it is larger than a window. */
  receive(exchange: Exchange | undefined, bytes: number): void {
    if (bytes > this.#window) throw new ConnectionError(errorCode.flowControlError, tooMuch)
    this.#window -= bytes
    this.#unannounced += bytes
    if (this.#unannounced >= connectionWindow / 2) {
      this.#writer.windowUpdate(0, this.#unannounced)
      this.#window += this.#unannounced
      this.#unannounced = 0
    }
    if (exchange === undefined) return
    if (bytes > exchange.receiveWindow)
      throw new StreamError(exchange.streamId, errorCode.flowControlError, tooMuch)
    exchange.receiveWindow -= bytes
  }

  /** Records that a stream's reader took `bytes` bytes. */
  release(exchange: Exchange, bytes: number): void {
    exchange.unannounced += bytes
    if (exchange.unannounced < streamWindow / 2) return
    this.#writer.windowUpdate(exchange.streamId, exchange.unannounced)
    exchange.receiveWindow += exchange.unannounced
    exchange.unannounced = 0
  }
}

const tooMuch = 'the server sent more than the window allows'
