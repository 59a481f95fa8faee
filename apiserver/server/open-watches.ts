import { setMaxListeners } from 'node:events'

/** Ends all open watches at once, any number of times. */
export class OpenWatches {
  #ending = newEnding()

  /** Fires when the watches that are open now must end. */
  get signal(): AbortSignal {
    return this.#ending.signal
  }

  /** Ends those that are open; later ones stay. */
  endAll(): void {
    const ending = this.#ending
    this.#ending = newEnding()
    ending.abort()
  }

  /** Ends those that are open, and later ones as soon as they begin. */
  close(): void {
    this.#ending.abort()
  }
}

function newEnding(): AbortController {
  const ending = new AbortController()
  // Each open watch listens.
  setMaxListeners(0, ending.signal)
  return ending
}
