/**
 * Messages in a stream of bytes: each has a prefix of five bytes, which are 1 if the message is compressed, and its
 * length as a number of four bytes.
 *
 * See https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md.
 */
import { GrpcError } from './grpc-error.js'
import { GrpcStatus } from './status.js'

const prefixBytes = 5

/** A message with its prefix. */
export function framedMessage(message: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(prefixBytes + message.length)
  frame[0] = 0
  frame.writeUInt32BE(message.length, 1)
  frame.set(message, prefixBytes)
  return frame
}

/** Reads messages from the chunks of a stream. */
export class MessageReader {
  readonly #maxBytes: number
  #chunks: Buffer[] = []
  #length = 0

  /** Messages of more than `maxBytes` are refused when their prefix has arrived. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /**
   * The messages that this chunk completes, as views of what arrived. Throws {@link GrpcError} `RESOURCE_EXHAUSTED` for
   * a message that is too large, and `UNIMPLEMENTED` for one that is compressed.
   */
  read(chunk: Buffer): Buffer[] {
    this.#chunks.push(chunk)
    this.#length += chunk.length
    const messages: Buffer[] = []
    for (let length = this.#nextLength(); length !== undefined; length = this.#nextLength()) {
      const bytes = this.#joined()
      const end = prefixBytes + length
      messages.push(bytes.subarray(prefixBytes, end))
      this.#chunks = end === bytes.length ? [] : [bytes.subarray(end)]
      this.#length -= end
    }
    return messages
  }

  /** Whether a message has begun and is not complete. */
  get isWithin(): boolean {
    return this.#length > 0
  }

  /** The length of the next message; undefined until all of it has arrived. */
  #nextLength(): number | undefined {
    if (this.#length < prefixBytes) return undefined
    const [first] = this.#chunks
    const prefix = first && first.length >= prefixBytes ? first : this.#joined()
    const length = prefix.readUInt32BE(1)
    if (length > this.#maxBytes) throw tooLargeError(length, this.#maxBytes)
    if (prefix[0] !== 0) throw compressedError()
    return this.#length < prefixBytes + length ? undefined : length
  }

  #joined(): Buffer {
    const [first] = this.#chunks
    if (this.#chunks.length === 1 && first) return first
    const joined = Buffer.concat(this.#chunks, this.#length)
    this.#chunks = [joined]
    return joined
  }
}

function tooLargeError(length: number, maxBytes: number): GrpcError {
  const details = `the message has ${length} bytes, and at most ${maxBytes} are received`
  return new GrpcError(GrpcStatus.RESOURCE_EXHAUSTED, details)
}

function compressedError(): GrpcError {
  return new GrpcError(GrpcStatus.UNIMPLEMENTED, 'the message is compressed, and none is decompressed here')
}
