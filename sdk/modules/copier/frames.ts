/**
 * The stream between the two Pods that copy a volume. Each frame begins with its length. An empty frame ends the
 * content; after it comes a line with the size and the digest of all content. A stream without that line is
 * incomplete.
 */
import { createHash } from 'node:crypto'
import { Transform } from 'node:stream'

/** The size and the digest of what was sent. */
export interface Sum {
  readonly bytes: number
  /** In hex. */
  readonly sha256: string
}

const lengthBytes = 4
const maxFrame = 16 * 1024 * 1024

/** Counts and hashes bytes. */
export class ByteCounter {
  #bytes = 0
  readonly #hash = createHash('sha256')

  add(chunk: Buffer): void {
    this.#bytes += chunk.length
    this.#hash.update(chunk)
  }

  /** The size and digest of all added bytes; nothing can be added afterwards. */
  sum(): Sum {
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') }
  }
}

/** One frame. */
export function frameOf(chunk: Buffer): Buffer {
  const length = Buffer.alloc(lengthBytes)
  length.writeUInt32BE(chunk.length)
  return Buffer.concat([length, chunk])
}

/** The end of a stream. */
export function endOf(sum: Sum): Buffer {
  return Buffer.concat([Buffer.alloc(lengthBytes), Buffer.from(`${JSON.stringify(sum)}\n`)])
}

/** Removes the frames from a stream. Calls `onEnd` with the sum of the sender; fails for data without valid frames. */
export class Unframe extends Transform {
  #rest: Buffer = Buffer.alloc(0)
  #isAtEnd = false
  readonly #onEnd: (sum: Sum) => void

  constructor(onEnd: (sum: Sum) => void) {
    super()
    this.#onEnd = onEnd
  }

  override _transform(chunk: Buffer, _: string, done: (error?: Error) => void): void {
    this.#rest = Buffer.concat([this.#rest, chunk])
    try {
      while (!this.#isAtEnd && this.#takeFrame());
      if (this.#isAtEnd) this.#takeSum()
      done()
    } catch (error) {
      done(error as Error)
    }
  }

  #takeFrame(): boolean {
    if (this.#rest.length < lengthBytes) return false
    const length = this.#rest.readUInt32BE(0)
    if (length > maxFrame) throw new Error('the stream is not one of this program')
    if (this.#rest.length < lengthBytes + length) return false
    const frame = this.#rest.subarray(lengthBytes, lengthBytes + length)
    this.#rest = this.#rest.subarray(lengthBytes + length)
    this.#isAtEnd = length === 0
    if (length > 0) this.push(frame)
    return true
  }

  #takeSum(): void {
    const lineEnd = this.#rest.indexOf('\n')
    if (lineEnd >= 0) this.#onEnd(JSON.parse(this.#rest.subarray(0, lineEnd).toString()) as Sum)
  }
}
