/** The lines so far, with a way to wait for further ones. */
export class Seen {
  readonly lines: string[] = []
  readonly #looks = new Set<() => void>()

  add(line: string): void {
    this.lines.push(line)
    for (const look of [...this.#looks]) look()
  }

  /** The number of times a line was seen. */
  count(line: string): number {
    return this.lines.filter((each) => each === line).length
  }

  /** Resolves when every line was seen. */
  until(...lines: readonly string[]): Promise<void> {
    return this.holds(() => lines.every((line) => this.lines.includes(line)))
  }

  /** Resolves when the condition holds; checked after each line. */
  holds(condition: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (!condition()) return
        this.#looks.delete(look)
        resolve()
      }
      this.#looks.add(look)
      look()
    })
  }
}
