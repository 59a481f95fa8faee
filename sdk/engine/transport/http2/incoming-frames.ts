import type { Exchange } from './exchange.js'
import type { FrameHandler, FrameHeader } from './frame-parser.js'
import { type HeaderBlock, HeaderBlocks } from './header-blocks.js'
import { HeaderList } from './header-list.js'
import { HeaderDecoder } from './hpack/header-decoder.js'
import { readUint32 } from './octets.js'
import { withoutPadding } from './payload.js'
import { ConnectionError, errorCode, flag, frameType, StreamError } from './protocol.js'
import type { ReceiveWindows } from './receive-windows.js'
import type { Streams } from './streams.js'

/** Receives the server's events for the connection, its streams and its windows. */
export interface PeerEvents {
  /** Called with the pairs of an identifier and a value. */
  onSettings(payload: Uint8Array): void
  onSettingsAck(): void
  onPing(payload: Uint8Array): void
  onPingAnswer(payload: Uint8Array): void
  onGoaway(lastStreamId: number, code: number): void
  onWindowUpdate(increment: number): void
  onStreamWindowUpdate(exchange: Exchange, increment: number): void
  /** Called when the server reset a stream. */
  onReset(exchange: Exchange, code: number): void
  /** Called when a stream must end because the server sent an error on it, or because its reader threw. */
  onStreamFailed(streamId: number, error: unknown): void
}

/** Options of {@link IncomingFrames}. */
export interface IncomingFramesOptions {
  events: PeerEvents
  streams: Streams
  windows: ReceiveWindows
}

/**
 * Handles each frame of the server as a client must (RFC 9113, section 6). It throws `ConnectionError` and
 * `CompressionError`, which end the connection; an error of one stream ends that stream alone.
 */
export class IncomingFrames implements FrameHandler {
  readonly #events: PeerEvents
  readonly #streams: Streams
  readonly #windows: ReceiveWindows
  readonly #decoder = new HeaderDecoder()
  readonly #blocks = new HeaderBlocks()
  #hasSettings = false

  constructor({ events, streams, windows }: IncomingFramesOptions) {
    this.#events = events
    this.#streams = streams
    this.#windows = windows
  }

  onFrameHeader(header: FrameHeader): void {
    const { type, streamId, flags } = header
    if (!this.#hasSettings && (type !== frameType.settings || flags & flag.ack))
      throw protocolError('a first frame that is not SETTINGS')
    const expected = this.#blocks.expectedStreamId
    if (expected !== undefined && (type !== frameType.continuation || streamId !== expected))
      throw protocolError('another frame inside a header block')
    if (type === frameType.data) this.#onDataHeader(header)
  }

  onData({ streamId, flags }: FrameHeader, part: Uint8Array, isLast: boolean): void {
    const exchange = this.#streams.get(streamId)
    if (exchange === undefined) return
    try {
      exchange.receiveData(part, isLast && (flags & flag.endStream) !== 0)
    } catch (error) {
      this.#events.onStreamFailed(streamId, error)
    }
  }

  onFrame(header: FrameHeader, payload: Uint8Array): void {
    try {
      this.#dispatch(header, payload)
    } catch (error) {
      if (!(error instanceof StreamError)) throw error
      this.#events.onStreamFailed(error.streamId, error)
    }
  }

  #dispatch(header: FrameHeader, payload: Uint8Array): void {
    const { type, streamId } = header
    if (type === frameType.headers) this.#onHeaders(header, payload)
    else if (type === frameType.data) this.#onPaddedData(header, payload)
    else if (type === frameType.windowUpdate) this.#onWindowUpdate(streamId, payload)
    else if (type === frameType.rstStream) this.#onReset(streamId, payload)
    else if (type === frameType.ping) this.#onPing(header, payload)
    else if (type === frameType.settings) this.#onSettings(header, payload)
    else if (type === frameType.goaway) this.#onGoaway(streamId, payload)
    else if (type === frameType.continuation) this.#onContinuation(header, payload)
    else if (type === frameType.priority) checkPriority(header)
    else if (type === frameType.pushPromise) throw protocolError('PUSH_PROMISE, which we do not allow')
    // Frames of unknown types are ignored (section 5.5).
  }

  #onDataHeader({ streamId, length }: FrameHeader): void {
    const exchange = this.#streams.get(streamId)
    if (exchange === undefined) this.#checkKnown(streamId)
    try {
      this.#windows.receive(exchange, length)
      if (exchange === undefined) this.#checkReset(streamId)
    } catch (error) {
      if (!(error instanceof StreamError)) throw error
      this.#events.onStreamFailed(streamId, error)
    }
  }

  #onPaddedData(header: FrameHeader, payload: Uint8Array): void {
    const part = withoutPadding(header, payload)
    const exchange = this.#streams.get(header.streamId)
    if (exchange !== undefined) this.#windows.release(exchange, payload.length - part.length)
    this.onData(header, part, true)
  }

  #onHeaders(header: FrameHeader, payload: Uint8Array): void {
    const { streamId, flags } = header
    this.#checkKnown(streamId)
    let bytes = withoutPadding(header, payload)
    if (flags & flag.priority) {
      if (bytes.length < 5)
        throw new ConnectionError(errorCode.frameSizeError, 'HEADERS without their priority')
      bytes = bytes.subarray(5)
    }
    const block = { streamId, bytes, isLast: (flags & flag.endStream) !== 0 }
    if (flags & flag.endHeaders) this.#onBlock(block)
    else this.#blocks.begin(block)
  }

  #onContinuation({ flags }: FrameHeader, payload: Uint8Array): void {
    const block = this.#blocks.add(payload, (flags & flag.endHeaders) !== 0)
    if (block) this.#onBlock(block)
  }

  /** Handles a header block. Every block is decoded, because the next block refers to the same table. */
  #onBlock({ streamId, bytes, isLast }: HeaderBlock): void {
    const list = new HeaderList()
    this.#decoder.decode(bytes, list)
    const exchange = this.#streams.get(streamId)
    if (exchange === undefined) this.#checkReset(streamId)
    try {
      exchange?.receiveHeaders(list, isLast)
    } catch (error) {
      this.#events.onStreamFailed(streamId, error)
    }
  }

  #onReset(streamId: number, payload: Uint8Array): void {
    checkLength('RST_STREAM', payload, 4)
    this.#checkKnown(streamId)
    const exchange = this.#streams.get(streamId)
    if (exchange) this.#events.onReset(exchange, readUint32(payload, 0))
  }

  #onWindowUpdate(streamId: number, payload: Uint8Array): void {
    checkLength('WINDOW_UPDATE', payload, 4)
    const increment = readUint32(payload, 0) & 0x7fffffff
    if (streamId !== 0) this.#checkKnown(streamId)
    const exchange = this.#streams.get(streamId)
    if (increment === 0 && streamId === 0) throw protocolError('a WINDOW_UPDATE by nothing')
    if (increment === 0 && exchange)
      throw new StreamError(streamId, errorCode.protocolError, 'a WINDOW_UPDATE by nothing')
    if (streamId === 0) this.#events.onWindowUpdate(increment)
    else if (exchange) this.#events.onStreamWindowUpdate(exchange, increment)
  }

  #onPing({ streamId, flags }: FrameHeader, payload: Uint8Array): void {
    checkLength('PING', payload, 8)
    if (streamId !== 0) throw protocolError('PING on a stream')
    if (flags & flag.ack) this.#events.onPingAnswer(payload)
    else this.#events.onPing(payload)
  }

  #onSettings({ streamId, flags, length }: FrameHeader, payload: Uint8Array): void {
    if (streamId !== 0) throw protocolError('SETTINGS on a stream')
    const isAck = (flags & flag.ack) !== 0
    if (length % 6 !== 0 || (isAck && length > 0))
      throw new ConnectionError(errorCode.frameSizeError, `SETTINGS of ${length} octets`)
    this.#hasSettings = true
    if (isAck) this.#events.onSettingsAck()
    else this.#events.onSettings(payload)
  }

  #onGoaway(streamId: number, payload: Uint8Array): void {
    if (streamId !== 0) throw protocolError('GOAWAY on a stream')
    if (payload.length < 8) throw new ConnectionError(errorCode.frameSizeError, 'GOAWAY that is cut')
    this.#events.onGoaway(readUint32(payload, 0) & 0x7fffffff, readUint32(payload, 4))
  }

  /** Throws for a stream that we did not open. */
  #checkKnown(streamId: number): void {
    if (streamId === 0 || streamId % 2 === 0 || streamId > this.#streams.lastId)
      throw protocolError('a frame on a stream that was not opened')
  }

  /** Throws for a frame after the end of a stream. A frame after our own reset was on its way and is ignored. */
  #checkReset(streamId: number): void {
    if (this.#streams.wasReset(streamId)) return
    throw new StreamError(streamId, errorCode.streamClosed, 'a frame after the end of its stream')
  }
}

function checkPriority({ streamId, length }: FrameHeader): void {
  if (streamId === 0) throw protocolError('PRIORITY without a stream')
  if (length !== 5) throw new StreamError(streamId, errorCode.frameSizeError, `PRIORITY of ${length} octets`)
}

function checkLength(name: string, { length }: Uint8Array, expected: number): void {
  if (length !== expected) throw new ConnectionError(errorCode.frameSizeError, `${name} of ${length} octets`)
}

function protocolError(message: string): ConnectionError {
  return new ConnectionError(errorCode.protocolError, message)
}
