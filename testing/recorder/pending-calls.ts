import type { SimulatedProcess } from '../faults/simulated-process.js'

/** Counts the calls of processes that are not answered yet. */
export class PendingCalls {
  readonly #calls = new Map<SimulatedProcess, number>()

  /** The number of them by processes that are alive. */
  get count(): number {
    let sum = 0
    for (const [process, calls] of this.#calls) if (!process.isKilled) sum += calls
    return sum
  }

  /** Makes a call of a process, and answers it only if the process is alive then. */
  async during<R>(process: SimulatedProcess, send: () => Promise<R>): Promise<R> {
    // As over a socket, a program that writes in a loop must not keep other work from running.
    await new Promise<void>((resolve) => setImmediate(resolve))
    await process.whileAlive(undefined)
    const calls = this.#calls.get(process) ?? 0
    this.#calls.set(process, calls + 1)
    try {
      return await process.whileAlive(await send())
    } finally {
      this.#calls.set(process, (this.#calls.get(process) ?? 1) - 1)
    }
  }
}
