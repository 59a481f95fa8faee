import type { SimulatedProcess } from '../faults/simulated-process.js'

/** Counts the calls that processes have sent and that are not answered yet. */
export class PendingCalls {
  readonly #calls = new Map<SimulatedProcess, number>()

  /** The number of unanswered calls; calls of killed processes do not count. */
  get count(): number {
    let sum = 0
    for (const [process, calls] of this.#calls) if (!process.isKilled) sum += calls
    return sum
  }

  /**
   * Sends a call of a process and counts it until it is answered. If the process is killed before, the
   * call is not sent, or its answer is dropped: the returned promise never settles.
   */
  async track<R>(process: SimulatedProcess, send: () => Promise<R>): Promise<R> {
    // Like I/O on a socket, a call lets other work run, also if a program sends calls in a loop.
    await new Promise<void>((resolve) => setImmediate(resolve))
    await process.whileAlive(undefined)
    this.#add(process, 1)
    try {
      return await process.whileAlive(await send())
    } finally {
      this.#add(process, -1)
    }
  }

  #add(process: SimulatedProcess, calls: number): void {
    this.#calls.set(process, (this.#calls.get(process) ?? 0) + calls)
  }
}
