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

  constructor(clock: VirtualClock) {
    // Every timer adds a listener, so many listeners are not a leak.
    setMaxListeners(0, this.#killed.signal)
    this.clock = processClock(clock, this)
  }

  /** Aborts when the process is killed. */
  get killed(): AbortSignal {
    return this.#killed.signal
  }

  get isKilled(): boolean {
    return this.#killed.signal.aborted
  }

  kill(): void {
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
}

function processClock(clock: VirtualClock, process: SimulatedProcess): Clock {
  return {
    now: () => clock.now(),
    date: () => clock.date(),
    schedule: (delayMs, callback) => {
      const cancel = clock.schedule(delayMs, () => {
        if (!process.isKilled) callback()
      })
      process.killed.addEventListener('abort', cancel, { once: true })
      return () => {
        process.killed.removeEventListener('abort', cancel)
        cancel()
      }
    },
  }
}
