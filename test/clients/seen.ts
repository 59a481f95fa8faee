/** What has been told so far, line by line, and a way to wait for the next. */
export class Seen {
  readonly lines: string[] = []
  readonly #looks = new Set<() => void>()

  add(line: string): void {
    this.lines.push(line)
    for (const look of [...this.#looks]) look()
  }

  /** How often a line has been told. */
  count(line: string): number {
    return this.lines.filter((each) => each === line).length
  }

  /** Resolves as soon as every line has been told. */
  until(...lines: readonly string[]): Promise<void> {
    return this.holds(() => lines.every((line) => this.lines.includes(line)))
  }

  /** Resolves as soon as it holds; looked at after each line. */
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
