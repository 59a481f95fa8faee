import { JoinedBytes } from '../kube/joined-bytes.js'

const lineFeed = 0x0a

/**
 * Splits a stream of bytes into lines. Only the byte of a line feed ends a line: U+2028 and similar characters may
 * occur inside a JSON string. A line may come in any number of chunks. Each watch has one, for the lines of its stream.
 */
export class LineSplitter {
  readonly #maxLineBytes: number
  /** The line that has not ended yet. */
  readonly #begun = new JoinedBytes()

  constructor(maxLineBytes: number) {
    this.#maxLineBytes = maxLineBytes
  }

  /**
   * Returns the lines that end in this chunk, without line feeds and without empty lines. Throws if a line is too long.
   */
  push(chunk: Uint8Array): Uint8Array[] {
    const lines: Uint8Array[] = []
    let start = 0
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, start)) {
      const line = this.#complete(chunk.subarray(start, end))
      if (line.length > 0) lines.push(line)
      start = end + 1
    }
    if (start < chunk.length) this.#begin(chunk.subarray(start))
    return lines
  }

  /** Ends the stream. Throws if it ended inside a line. */
  end(): void {
    if (this.#begun.length > 0)
      throw new Error(`the stream ended inside a line, after ${this.#begun.length} bytes of it`)
  }

  /** The whole line that ends with a part. Most lines are one part, which is not copied. */
  #complete(part: Uint8Array): Uint8Array {
    this.#check(part)
    if (this.#begun.length === 0) return part
    this.#begun.add(part)
    return this.#begun.take()
  }

  #begin(part: Uint8Array): void {
    this.#check(part)
    this.#begun.add(part)
  }

  /** Throws if a line is too long with another part. */
  #check(part: Uint8Array): void {
    if (this.#begun.length + part.length <= this.#maxLineBytes) return
    throw new Error(
      `a line has more than ${this.#maxLineBytes} bytes; raise maxLineBytes if objects may be that large`,
    )
  }
}
