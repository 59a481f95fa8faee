import { StringDecoder } from 'node:string_decoder'

/** Splits what a process prints into lines, and keeps only the start of long ones. */
export class PrintedLines {
  readonly #decoder = new StringDecoder('utf8')
  readonly #longest: number
  readonly #onLine: (line: string) => void
  #line = ''

  constructor(longest: number, onLine: (line: string) => void) {
    this.#longest = longest
    this.#onLine = onLine
  }

  /** Takes what was printed. */
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
    if (this.#line.length < this.#longest) this.#line += text.slice(0, this.#longest - this.#line.length)
  }
}
