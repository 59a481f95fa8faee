const newline = 0x0a

/** Splits a stream of bytes into lines. Keeps at most one unfinished line of a limited length. */
export class LineSplitter {
  readonly #maxBytes: number
  #parts: Buffer[] = []
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** The lines that a chunk completes, without their ends. Throws a `RangeError` for a line that is too long. */
  push(chunk: Buffer): Buffer[] {
    const lines: Buffer[] = []
    let from = 0
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, from)) {
      this.#keep(chunk.subarray(from, end))
      lines.push(this.take())
      from = end + 1
    }
    this.#keep(chunk.subarray(from))
    return lines
  }

  /** Returns the unfinished line and forgets it. */
  take(): Buffer {
    const [only] = this.#parts
    const line = this.#parts.length === 1 && only ? only : Buffer.concat(this.#parts)
    this.#parts = []
    this.#bytes = 0
    return line
  }

  #keep(part: Buffer): void {
    if (part.length === 0) return
    this.#bytes += part.length
    if (this.#bytes > this.#maxBytes) throw new RangeError(`a message of more than ${this.#maxBytes} bytes`)
    this.#parts.push(part)
  }
}
