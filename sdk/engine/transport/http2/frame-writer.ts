import type { Duplex } from 'node:stream'
import { errorCode, flag, frameHeaderBytes, frameType, preface } from './protocol.js'

/** The size of a write buffer, in octets; a frame is at most a quarter of it. */
const bufferBytes = 64 * 1024
/** How many write buffers are kept for reuse. */
const keptBuffers = 4
/** The largest payload that we send in a frame, even if the peer accepts more, in octets. */
export const maxSentFrame = 16_384
/** The amount of unwritten data above which no new request is sent, in octets. */
const backlogBytes = 256 * 1024
/** The amount of unread answers above which a peer counts as an attacker, in octets. */
const floodBytes = 4 * 1024 * 1024

/** Options of {@link FrameWriter}. */
export interface FrameWriterOptions {
  socket: Duplex
  /**
   * Checked right before octets are written to the socket. If false, these and all later octets are dropped. Default
   * true.
   */
  mayWrite?: () => boolean
  /** Called when the backlog was written. */
  onWritable: () => void
  /** Called when the peer causes answers and does not read them. */
  onFlood: () => void
}

/** Writes frames. All frames of one turn of the event loop are written at once, from reused buffers. */
export class FrameWriter {
  readonly #options: FrameWriterOptions
  readonly #free: Buffer[] = []
  #buffer: Buffer = Buffer.allocUnsafeSlow(bufferBytes)
  #used = 0
  #unwritten = 0
  #isBacklogged = false
  #isFlooded = false
  #isScheduled = false
  #isClosed = false
  readonly #onTurn = () => {
    this.#isScheduled = false
    this.flush()
  }
  /** The number of writes so far. A frame was sent if the number has grown since. */
  writes = 0

  constructor(options: FrameWriterOptions) {
    this.#options = options
  }

  /** Whether the peer reads slower than we write. */
  get isBacklogged(): boolean {
    return this.#isBacklogged
  }

  /** Writes the octets with which every client begins. */
  preface(): void {
    this.#reserve(preface.length)
    this.#used += this.#buffer.write(preface, this.#used, 'latin1')
    this.#schedule()
  }

  /** Writes HEADERS and, if the block is larger than a frame, CONTINUATION. */
  headers(streamId: number, block: Uint8Array, isLast: boolean): void {
    const ends = isLast ? flag.endStream : 0
    if (block.length <= maxSentFrame) {
      this.#bytes({ type: frameType.headers, flags: ends | flag.endHeaders, streamId }, block)
      return
    }
    this.#bytes({ type: frameType.headers, flags: ends, streamId }, block.subarray(0, maxSentFrame))
    for (let offset = maxSentFrame; offset < block.length; offset += maxSentFrame) {
      const flags = offset + maxSentFrame >= block.length ? flag.endHeaders : 0
      this.#bytes(
        { type: frameType.continuation, flags, streamId },
        block.subarray(offset, offset + maxSentFrame),
      )
    }
  }

  /** Writes a whole body of `bytes` octets as UTF-8, in one frame. */
  text(streamId: number, text: string, bytes: number): void {
    const payloadOffset = this.#frame(bytes, { type: frameType.data, flags: flag.endStream, streamId })
    this.#buffer.write(text, payloadOffset, bytes, 'utf8')
  }

  /** Writes a part of a body as one DATA frame. */
  data(streamId: number, part: Uint8Array, isLast: boolean): void {
    this.#bytes({ type: frameType.data, flags: isLast ? flag.endStream : 0, streamId }, part)
  }

  settings(pairs: readonly (readonly [id: number, value: number])[]): void {
    let offset = this.#frame(pairs.length * 6, { type: frameType.settings, flags: 0, streamId: 0 })
    for (const [id, value] of pairs) {
      this.#buffer.writeUInt16BE(id, offset)
      offset = this.#buffer.writeUInt32BE(value, offset + 2)
    }
  }

  settingsAck(): void {
    this.#frame(0, { type: frameType.settings, flags: flag.ack, streamId: 0 })
  }

  /** Writes a PING of ours, or the answer to one of the peer. */
  ping(payload: Uint8Array, isAnswer: boolean): void {
    this.#bytes({ type: frameType.ping, flags: isAnswer ? flag.ack : 0, streamId: 0 }, payload)
  }

  resetStream(streamId: number, code: number): void {
    const payloadOffset = this.#frame(4, { type: frameType.rstStream, flags: 0, streamId })
    this.#buffer.writeUInt32BE(code, payloadOffset)
  }

  /** Lets the peer send more octets on a stream, or on all streams together if the id is 0. */
  windowUpdate(streamId: number, bytes: number): void {
    const payloadOffset = this.#frame(4, { type: frameType.windowUpdate, flags: 0, streamId })
    this.#buffer.writeUInt32BE(bytes, payloadOffset)
  }

  /** Announces the end of the connection. The last stream id is 0, because servers open no streams here. */
  goaway(code: number = errorCode.noError, text = ''): void {
    const payloadOffset = this.#frame(8 + text.length, { type: frameType.goaway, flags: 0, streamId: 0 })
    this.#buffer.writeUInt32BE(0, payloadOffset)
    this.#buffer.writeUInt32BE(code, payloadOffset + 4)
    this.#buffer.write(text, payloadOffset + 8, 'latin1')
  }

  /** Writes the buffered frames, without waiting for the end of the turn. */
  flush(): void {
    if (!this.#isClosed && this.#used > 0 && this.#options.mayWrite?.() === false) this.close()
    if (this.#isClosed) this.#used = 0
    if (this.#used === 0) return
    const buffer = this.#buffer
    const bytes = this.#used
    this.#buffer = this.#free.pop() ?? Buffer.allocUnsafeSlow(bufferBytes)
    this.#used = 0
    this.#unwritten += bytes
    this.writes += 1
    this.#options.socket.write(buffer.subarray(0, bytes), () => this.#onWritten(buffer, bytes))
    if (this.#unwritten > backlogBytes) this.#isBacklogged = true
    if (this.#unwritten <= floodBytes || this.#isFlooded) return
    // The callback may flush.
    this.#isFlooded = true
    this.#options.onFlood()
  }

  /** Writes nothing from now on. */
  close(): void {
    this.#isClosed = true
  }

  /** Called when the socket has written a buffer. */
  #onWritten(buffer: Buffer, bytes: number): void {
    this.#unwritten -= bytes
    if (this.#free.length < keptBuffers) this.#free.push(buffer)
    if (!this.#isBacklogged || this.#unwritten > backlogBytes / 2 || this.#isClosed) return
    this.#isBacklogged = false
    this.#options.onWritable()
  }

  /** Writes a frame with a payload. */
  #bytes(header: { type: number; flags: number; streamId: number }, payload: Uint8Array): void {
    const payloadOffset = this.#frame(payload.length, header)
    this.#buffer.set(payload, payloadOffset)
  }

  /** Writes a frame's header and returns where its payload begins. */
  #frame(
    length: number,
    { type, flags, streamId }: { type: number; flags: number; streamId: number },
  ): number {
    this.#reserve(frameHeaderBytes + length)
    const buffer = this.#buffer
    const offset = this.#used
    buffer[offset] = length >>> 16
    buffer[offset + 1] = length >>> 8
    buffer[offset + 2] = length
    buffer[offset + 3] = type
    buffer[offset + 4] = flags
    buffer.writeUInt32BE(streamId, offset + 5)
    this.#used = offset + frameHeaderBytes + length
    this.#schedule()
    return offset + frameHeaderBytes
  }

  /** Makes room for octets in the buffer. */
  #reserve(bytes: number): void {
    if (this.#used + bytes > bufferBytes) this.flush()
  }

  /** Writes the buffered frames at the end of this turn of the event loop. */
  #schedule(): void {
    if (this.#isScheduled || this.#isClosed) return
    this.#isScheduled = true
    setImmediate(this.#onTurn)
  }
}
