import { setMaxListeners } from 'node:events'

/** Ends all open watches at once, any number of times. */
export class OpenWatches {
  #ending = newAbortController()

  /** Aborts when the present watches must end. */
  get signal(): AbortSignal {
    return this.#ending.signal
  }

  /** Ends the open watches; later ones are not affected. */
  endAll(): void {
    const ending = this.#ending
    this.#ending = newAbortController()
    ending.abort()
  }

  /** Ends the open watches, and later ones as soon as they start. */
  close(): void {
    this.#ending.abort()
  }
}

function newAbortController(): AbortController {
  const ending = new AbortController()
  // Each open watch adds a listener.
  setMaxListeners(0, ending.signal)
  return ending
}
