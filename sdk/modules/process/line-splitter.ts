import { JoinedBytes } from '../../engine/kube/joined-bytes.js'

const newline = 0x0a

/** Splits a stream of bytes into lines. Keeps at most one unfinished line of a limited length. */
export class LineSplitter {
  readonly #maxBytes: number
  readonly #begun = new JoinedBytes()

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
    return this.#begun.take()
  }

  #keep(part: Buffer): void {
    if (this.#begun.length + part.length > this.#maxBytes)
      throw new RangeError(`a message of more than ${this.#maxBytes} bytes`)
    if (part.length > 0) this.#begun.add(part)
  }
}
