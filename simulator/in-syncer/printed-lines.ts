import { createInterface } from 'node:readline'

/** Called with each printed line. */
export type PrintListener = (line: string) => void

/** The lines that a program has printed. A caller can wait for a line. */
export class PrintedLines {
  readonly #onPrint: PrintListener
  readonly #lines: string[] = []
  readonly #waiting = new Set<(line: string) => void>()

  /** `onPrint` gets each line that is given to {@link print}. */
  constructor(onPrint: PrintListener = () => {}) {
    this.#onPrint = onPrint
  }

  /** Every line so far. */
  get all(): readonly string[] {
    return this.#lines
  }

  /** Adds the lines of a stream as `shownLineOf` returns them, without those for which it returns `undefined`. */
  follow(
    input: NodeJS.ReadableStream,
    shownLineOf: (line: string) => string | undefined = (line) => line,
  ): void {
    createInterface({ input }).on('line', (line) => this.add(shownLineOf(line)))
  }

  /** Adds a line that the program has printed through its connection. */
  print(line: string): void {
    this.#onPrint(line)
    this.add(line)
  }

  add(line: string | undefined): void {
    if (line === undefined) return
    this.#lines.push(line)
    for (const listener of this.#waiting) listener(line)
  }

  /** Resolves with the first line, past or future, that contains `text`. */
  waitFor(text: string): Promise<string> {
    const printed = this.#lines.find((line) => line.includes(text))
    if (printed !== undefined) return Promise.resolve(printed)
    return new Promise((resolve) => {
      const listener = (line: string) => {
        if (!line.includes(text)) return
        this.#waiting.delete(listener)
        resolve(line)
      }
      this.#waiting.add(listener)
    })
  }
}
