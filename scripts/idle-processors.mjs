import { availableParallelism, cpus } from 'node:os'

/** Measures how many of the processors that this process may use are idle. */
export class IdleProcessors {
  #read
  #available
  #last

  /** `read` returns the times of all processors of the machine, and `available` is the number that may be used. */
  constructor(read = cpus, available = availableParallelism()) {
    this.#read = read
    this.#available = available
    this.#last = this.#sum()
  }

  /** How many were idle since the last call, on average; 0 if others use more of a large machine than is available. */
  sinceLast() {
    const before = this.#last
    this.#last = this.#sum()
    const { all, busy, count } = this.#last
    const used = (count * (busy - before.busy)) / (all - before.all || 1)
    return Math.max(0, this.#available - used)
  }

  #sum() {
    const processors = this.#read().map(({ times }) => times)
    const all = processors.flatMap((times) => Object.values(times)).reduce((sum, ms) => sum + ms, 0)
    const idle = processors.reduce((sum, times) => sum + times.idle, 0)
    return { all, busy: all - idle, count: processors.length }
  }
}
