const lineFeed = 0x0a

/**
 * Splits a stream of bytes into lines. Only the byte of a line feed ends a line: U+2028 and similar characters may
 * occur inside a JSON string. A line may come in any number of chunks. Each watch has one, for the lines of its stream.
 */
export class LineSplitter {
  readonly #maxLineBytes: number
  /** The parts of the line that has not ended yet, and their size. */
  #lineParts: Uint8Array[] = []
  #lineBytes = 0

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
      this.#addPart(chunk.subarray(start, end))
      if (this.#lineBytes > 0) lines.push(this.#takeLine())
      start = end + 1
    }
    if (start < chunk.length) this.#addPart(chunk.subarray(start))
    return lines
  }

  /** Ends the stream. Throws if it ended inside a line. */
  end(): void {
    if (this.#lineBytes > 0)
      throw new Error(`the stream ended inside a line, after ${this.#lineBytes} bytes of it`)
  }

  /** Adds a part to the current line. Throws if the line is too long. */
  #addPart(part: Uint8Array): void {
    this.#lineParts.push(part)
    this.#lineBytes += part.length
    if (this.#lineBytes <= this.#maxLineBytes) return
    throw new Error(
      `a line has more than ${this.#maxLineBytes} bytes; raise maxLineBytes if objects may be that large`,
    )
  }

  /** Returns the current line, and begins the next one. */
  #takeLine(): Uint8Array {
    const [only, ...otherParts] = this.#lineParts
    const line = only !== undefined && otherParts.length === 0 ? only : Buffer.concat(this.#lineParts)
    this.#lineParts = []
    this.#lineBytes = 0
    return line
  }
}
