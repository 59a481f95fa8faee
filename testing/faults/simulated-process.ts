import { setMaxListeners } from 'node:events'
import type { Clock } from '../../sdk/engine/time/clock.js'
import type { VirtualClock } from '../clock/virtual-clock.js'

/**
 * Simulates a plugin's process that can be killed. After `kill`, none of its timers fires, no answer arrives and
 * nothing that it sends is delivered. Its pending promises never settle.
 */
export class SimulatedProcess {
  /** The clock of the process. Its timers are cancelled by `kill`. */
  readonly clock: Clock
  readonly #killed = new AbortController()
  /** Cancels the timers. A signal with a listener for each would search all of them at the end of each. */
  readonly #cancels = new Set<() => void>()

  constructor(clock: VirtualClock) {
    // Each transport of the process adds a listener, so many listeners are not a leak.
    setMaxListeners(0, this.#killed.signal)
    this.clock = {
      now: () => clock.now(),
      date: () => clock.date(),
      schedule: (delayMs, callback) => this.#schedule(clock, delayMs, callback),
    }
  }

  /** Aborts when the process is killed. */
  get killed(): AbortSignal {
    return this.#killed.signal
  }

  get isKilled(): boolean {
    return this.#killed.signal.aborted
  }

  kill(): void {
    for (const cancel of this.#cancels) cancel()
    this.#cancels.clear()
    this.#killed.abort(new Error('the process was killed'))
  }

  /** Resolves to the value while the process is alive; never settles after `kill`. */
  async whileAlive<T>(value: T): Promise<T> {
    return this.isKilled ? new Promise<never>(() => {}) : value
  }

  /** Passes chunks on until the process is killed. */
  async *chunksWhileAlive(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) yield await this.whileAlive(chunk)
  }

  #schedule(clock: VirtualClock, delayMs: number, callback: () => void): () => void {
    // A timer of a process that was killed before is never run.
    if (this.isKilled) return () => {}
    const cancel = clock.schedule(delayMs, () => {
      this.#cancels.delete(cancel)
      callback()
    })
    this.#cancels.add(cancel)
    return () => {
      this.#cancels.delete(cancel)
      cancel()
    }
  }
}
