import { explainEnd } from './explain-end.js'

/** The maximum number of kept lines of standard error. */
const maxLines = 20

/** Collects the known facts about the end of a process, and explains the end. */
export class EndReasons {
  readonly #lastLines: string[] = []
  #killedBecause: string | undefined
  #failure: string | undefined

  /** Notes why the process is killed. The first reason counts. */
  recordKill(because: string): void {
    this.#killedBecause ??= because
  }

  /** Notes why the program cannot be loaded. The first reason counts. */
  recordFailure(failure: string): void {
    this.#failure ??= failure
  }

  /** Notes a line of standard error. */
  recordLine(line: string): void {
    this.#lastLines.push(line)
    if (this.#lastLines.length > maxLines) this.#lastLines.shift()
  }

  /** Explains the end of the process. */
  explain(end: { exitCode: number | null; signal: string | null; memoryMb: number }): string {
    const [killedBecause, failure, lastLines] = [this.#killedBecause, this.#failure, this.#lastLines]
    return explainEnd({ ...end, killedBecause, failure, lastLines })
  }
}
