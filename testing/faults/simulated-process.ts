import { setMaxListeners } from 'node:events'
import type { Clock } from '../../sdk/time/clock.js'
import type { VirtualClock } from '../clock/virtual-clock.js'

/**
 * The life of a plugin's process. A dead process does nothing more: nothing it waits for comes, none of its timers
 * goes off, nothing it sends arrives. Its promises stay open for ever, as a killed process leaves them.
 */
export class Life {
  readonly clock: Clock
  readonly #died = new AbortController()

  constructor(clock: VirtualClock) {
    // Every timer listens; that is no leak.
    setMaxListeners(0, this.#died.signal)
    this.clock = mortalClock(clock, this)
  }

  /** Aborts at death. */
  get death(): AbortSignal {
    return this.#died.signal
  }

  get isOver(): boolean {
    return this.#died.signal.aborted
  }

  end(): void {
    this.#died.abort(new Error('the process was killed'))
  }

  /** Hands a value on to the living; the dead wait for ever. */
  async living<T>(value: T): Promise<T> {
    return this.isOver ? new Promise<never>(() => {}) : value
  }
}

function mortalClock(clock: VirtualClock, life: Life): Clock {
  return {
    now: () => clock.now(),
    date: () => clock.date(),
    schedule: (delayMs, callback) => {
      const cancel = clock.schedule(delayMs, () => {
        if (!life.isOver) callback()
      })
      life.death.addEventListener('abort', cancel, { once: true })
      return () => {
        life.death.removeEventListener('abort', cancel)
        cancel()
      }
    },
  }
}
