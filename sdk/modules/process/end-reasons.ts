import { explainEnd } from './explain-end.js'

/** The most lines of standard error that are kept. */
const maxLines = 20

/** Collects what is known about the end of a process, and explains it. */
export class EndReasons {
  readonly #lastLines: string[] = []
  #killedBecause: string | undefined
  #failure: string | undefined

  /** Notes why the process is killed. The first reason counts. */
  killed(because: string): void {
    this.#killedBecause ??= because
  }

  /** Notes why the program cannot be loaded. The first reason counts. */
  failed(failure: string): void {
    this.#failure ??= failure
  }

  /** Notes a line of standard error. */
  printed(line: string): void {
    this.#lastLines.push(line)
    if (this.#lastLines.length > maxLines) this.#lastLines.shift()
  }

  /** Explains the end of the process. */
  explain(end: { exitCode: number | null; signal: string | null; memoryMb: number }): string {
    const [killedBecause, failure, lastLines] = [this.#killedBecause, this.#failure, this.#lastLines]
    return explainEnd({ ...end, killedBecause, failure, lastLines })
  }
}
