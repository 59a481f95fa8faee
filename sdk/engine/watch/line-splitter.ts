const lineFeed = 0x0a

/**
 * Splits a stream of bytes into lines. Only the byte of a line feed ends a line: U+2028 and similar characters may
 * occur inside a JSON string. A line may come in any number of chunks.
 */
export class LineSplitter {
  readonly #maxLineBytes: number
  #begun: Uint8Array[] = []
  #begunBytes = 0

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
      this.#keep(chunk.subarray(start, end))
      if (this.#begunBytes > 0) lines.push(this.#line())
      start = end + 1
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start))
    return lines
  }

  /** Ends the stream. Throws if it ended inside a line. */
  end(): void {
    if (this.#begunBytes > 0)
      throw new Error(`the stream ended inside a line, after ${this.#begunBytes} bytes of it`)
  }

  #keep(part: Uint8Array): void {
    this.#begun.push(part)
    this.#begunBytes += part.length
    if (this.#begunBytes <= this.#maxLineBytes) return
    throw new Error(
      `a line has more than ${this.#maxLineBytes} bytes; raise maxLineBytes if objects may be that large`,
    )
  }

  #line(): Uint8Array {
    const [only, ...more] = this.#begun
    const line = only !== undefined && more.length === 0 ? only : Buffer.concat(this.#begun)
    this.#begun = []
    this.#begunBytes = 0
    return line
  }
}
