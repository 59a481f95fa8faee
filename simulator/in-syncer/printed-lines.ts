import { createInterface } from 'node:readline'

/** Hears a line. */
export type PrintListener = (line: string) => void

/** What a program has printed, line by line, for whoever waits for a certain one. */
export class PrintedLines {
  readonly #onPrint: PrintListener
  readonly #lines: string[] = []
  readonly #waiting = new Set<(line: string) => void>()

  /** `onPrint` hears each line that {@link print} takes. */
  constructor(onPrint: PrintListener = () => {}) {
    this.#onPrint = onPrint
  }

  /** Every line so far. */
  get all(): readonly string[] {
    return this.#lines
  }

  /** Takes the lines of a stream from now on, as `shown` makes them; one that it answers nothing for is left out. */
  follow(input: NodeJS.ReadableStream, shown: (line: string) => string | undefined = (line) => line): void {
    createInterface({ input }).on('line', (line) => this.add(shown(line)))
  }

  /** Takes a line that the program has printed on its connection. */
  print(line: string): void {
    this.#onPrint(line)
    this.add(line)
  }

  add(line: string | undefined): void {
    if (line === undefined) return
    this.#lines.push(line)
    for (const hear of this.#waiting) hear(line)
  }

  /** Resolves with the first line, printed already or later, that contains `text`. */
  with(text: string): Promise<string> {
    const printed = this.#lines.find((line) => line.includes(text))
    if (printed !== undefined) return Promise.resolve(printed)
    return new Promise((resolve) => {
      const hear = (line: string) => {
        if (!line.includes(text)) return
        this.#waiting.delete(hear)
        resolve(line)
      }
      this.#waiting.add(hear)
    })
  }
}
