import type { CancelToken } from '../time/cancellation.js'

/**
 * A semaphore: lets a limited number of callers pass at a time; the others wait in their order. Limits the connections
 * over HTTP/1.1.
 */
export class WaitingLine {
  readonly #waiting = new Set<() => void>()
  #free: number

  /** @param places the number of callers that may have passed and not left */
  constructor(places: number) {
    this.#free = places
  }

  /** Waits for a place. Rejects with the signal's reason if that comes first. */
  async pass(signal: CancelToken): Promise<void> {
    signal.throwIfAborted()
    if (this.#free > 0) this.#free--
    else await this.#waitForTurn(signal)
  }

  /** Gives the caller's place to the next waiting caller. */
  leave(): void {
    const [next] = this.#waiting
    if (!next) this.#free++
    else next()
  }

  #waitForTurn(signal: CancelToken): Promise<void> {
    return new Promise((resolve, reject) => {
      const leaveLine = () => {
        this.#waiting.delete(take)
        signal.removeEventListener('abort', onAbort)
      }
      const take = () => {
        leaveLine()
        resolve()
      }
      const onAbort = () => {
        leaveLine()
        reject(signal.reason)
      }
      this.#waiting.add(take)
      signal.addEventListener('abort', onAbort, { once: true })
    })
  }
}
