/** The time for which a test waits for a line, in milliseconds: less than the time limit of a test file. */
const limitMs = 120_000

/** The lines so far, with a way to wait for further ones. */
export class SeenLines {
  readonly lines: string[] = []
  readonly #looks = new Set<() => void>()
  #ended: string | undefined

  add(line: string): void {
    this.lines.push(line)
    this.#look()
  }

  /** No further lines come, for this reason. Those who wait for one fail with it. */
  end(reason: string): void {
    this.#ended = reason
    this.#look()
  }

  /** The number of times a line was seen. */
  count(line: string): number {
    return this.lines.filter((each) => each === line).length
  }

  /** Resolves when every line was seen. Rejects with the missing ones if they do not come. */
  until(...lines: readonly string[]): Promise<void> {
    const missing = () => lines.filter((line) => !this.lines.includes(line))
    return this.holds(
      () => missing().length === 0,
      () => missing().join(', '),
    )
  }

  /** Resolves when the condition holds; checked after each line. `wanted` says what a failure waited for. */
  holds(condition: () => boolean, wanted = () => `${condition}`): Promise<void> {
    return new Promise((resolve, reject) => {
      const fail = (why: string) =>
        finish(() => reject(new Error(`${why} before: ${wanted()}. Seen: ${this.lines.join(', ')}`)))
      const timer = setTimeout(() => fail(`${limitMs / 1000} s passed`), limitMs)
      const finish = (settle: () => void) => {
        clearTimeout(timer)
        this.#looks.delete(look)
        settle()
      }
      const look = () => {
        if (condition()) finish(resolve)
        else if (this.#ended !== undefined) fail(this.#ended)
      }
      this.#looks.add(look)
      look()
    })
  }

  #look(): void {
    for (const look of [...this.#looks]) look()
  }
}
