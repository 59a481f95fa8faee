import { StringDecoder } from 'node:string_decoder'

/** Splits what a process prints into lines, and keeps only the start of long ones. */
export class PrintedLines {
  readonly #decoder = new StringDecoder('utf8')
  readonly #maxLength: number
  readonly #onLine: (line: string) => void
  #line = ''

  constructor(longest: number, onLine: (line: string) => void) {
    this.#maxLength = longest
    this.#onLine = onLine
  }

  /** Adds a chunk of the output. */
  push(chunk: Buffer): void {
    const [first = '', ...others] = this.#decoder.write(chunk).split('\n')
    this.#append(first)
    for (const text of others) {
      this.end()
      this.#append(text)
    }
  }

  /** Ends the last line. */
  end(): void {
    if (this.#line.trim() !== '') this.#onLine(this.#line)
    this.#line = ''
  }

  #append(text: string): void {
    if (this.#line.length < this.#maxLength) this.#line += text.slice(0, this.#maxLength - this.#line.length)
  }
}
