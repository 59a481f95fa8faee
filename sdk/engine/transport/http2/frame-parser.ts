import { readUint32 } from './octets.js'
import {
  ConnectionError,
  defaultFrameSize,
  errorCode,
  flag,
  frameHeaderBytes,
  frameType,
} from './protocol.js'

/** The header of a frame. */
export interface FrameHeader {
  length: number
  type: number
  flags: number
  streamId: number
}

/** Receives frames from a {@link FrameParser}. The octets are valid only during the call. */
export interface FrameHandler {
  /** Called with the header of any frame, before its payload has arrived. */
  onFrameHeader(header: FrameHeader): void
  /** Called with a whole frame. */
  onFrame(header: FrameHeader, payload: Uint8Array): void
  /** Called with a part of the payload of a DATA frame without padding; the last part may be empty. */
  onData(header: FrameHeader, part: Uint8Array, isLast: boolean): void
}

/**
 * Splits the arriving octets into frames. DATA is passed on as it arrives; other frames are collected until they are
 * whole.
 */
export class FrameParser {
  readonly #handler: FrameHandler
  /** The octets so far of a frame whose end has not arrived. */
  readonly #begun = Buffer.allocUnsafeSlow(frameHeaderBytes + defaultFrameSize)
  #begunBytes = 0
  readonly #header: FrameHeader = { length: 0, type: 0, flags: 0, streamId: 0 }
  /** How many octets of the current DATA frame are still to come; undefined outside a DATA frame. */
  #remainingData: number | undefined

  constructor(handler: FrameHandler) {
    this.#handler = handler
  }

  /** Parses a chunk. Throws {@link ConnectionError} for a frame that is too large, and the errors of the handler. */
  push(chunk: Uint8Array): void {
    let offset = 0
    while (offset < chunk.length) offset = this.#step(chunk, offset)
  }

  /** Handles what begins at an offset of the chunk: a frame, or a part of one. Returns the offset after it. */
  #step(chunk: Uint8Array, offset: number): number {
    if (this.#remainingData !== undefined) return this.#passData(chunk, offset, this.#remainingData)
    if (this.#begunBytes > 0) return this.#complete(chunk, offset)
    if (chunk.length - offset < frameHeaderBytes) return this.#keep(chunk, offset, chunk.length)
    this.#readHeader(chunk, offset)
    const start = offset + frameHeaderBytes
    if (this.#isPassedData()) return this.#beginData(start)
    const end = start + this.#header.length
    if (end > chunk.length) return this.#keep(chunk, offset, chunk.length)
    this.#handler.onFrame(this.#header, chunk.subarray(start, end))
    return end
  }

  /** Continues a frame whose beginning was in an earlier chunk. Returns the offset after the part of that frame. */
  #complete(chunk: Uint8Array, offset: number): number {
    if (this.#begunBytes < frameHeaderBytes) {
      const next = this.#keep(chunk, offset, offset + frameHeaderBytes - this.#begunBytes)
      if (this.#begunBytes < frameHeaderBytes) return next
      this.#readHeader(this.#begun, 0)
      if (this.#isPassedData()) return this.#beginData(next)
      return this.#header.length > 0 ? next : this.#endFrame(next)
    }
    const next = this.#keep(chunk, offset, offset + frameHeaderBytes + this.#header.length - this.#begunBytes)
    return this.#begunBytes === frameHeaderBytes + this.#header.length ? this.#endFrame(next) : next
  }

  /** Passes on a collected frame. `next` is the offset after its last octet. */
  #endFrame(next: number): number {
    const payload = this.#begun.subarray(frameHeaderBytes, this.#begunBytes)
    this.#begunBytes = 0
    this.#handler.onFrame(this.#header, payload)
    return next
  }

  /** Collects octets of an incomplete frame, at most to the end of the chunk. Returns the offset after them. */
  #keep(chunk: Uint8Array, start: number, end: number): number {
    const part = chunk.subarray(start, Math.min(end, chunk.length))
    this.#begun.set(part, this.#begunBytes)
    this.#begunBytes += part.length
    return start + part.length
  }

  #readHeader(bytes: Uint8Array, offset: number): void {
    const header = this.#header
    const first = readUint32(bytes, offset)
    header.length = first >>> 8
    header.type = first & 0xff
    header.flags = bytes[offset + 4] as number
    header.streamId = readUint32(bytes, offset + 5) & 0x7fffffff
    if (header.length > defaultFrameSize)
      throw new ConnectionError(errorCode.frameSizeError, `a frame of ${header.length} octets`)
    this.#handler.onFrameHeader(header)
  }

  /** Whether the current frame is DATA that is passed on as it arrives: padded DATA is collected first. */
  #isPassedData(): boolean {
    return this.#header.type === frameType.data && (this.#header.flags & flag.padded) === 0
  }

  #beginData(next: number): number {
    this.#begunBytes = 0
    this.#remainingData = this.#header.length
    // An empty frame has no payload that would trigger its end.
    if (this.#header.length === 0) this.#passData(empty, 0, 0)
    return next
  }

  /** Passes on the part of a DATA frame that is in this chunk. `octetsLeft` is the number of octets still to come. */
  #passData(chunk: Uint8Array, offset: number, octetsLeft: number): number {
    const end = Math.min(offset + octetsLeft, chunk.length)
    const isLast = end - offset === octetsLeft
    this.#remainingData = isLast ? undefined : octetsLeft - (end - offset)
    this.#handler.onData(this.#header, chunk.subarray(offset, end), isLast)
    return end
  }
}

const empty = new Uint8Array()
