import type { Clock } from '../time/clock.js'

/** A watch sent nothing for so long that its connection is probably dead. */
export class SilentWatchError extends Error {
  override readonly name = 'SilentWatchError'
}

/** Calls `onSilent` when the server of a watch has sent nothing for `silenceMs` milliseconds. */
export class SilenceTimer {
  readonly #clock: Clock
  readonly #silenceMs: number
  readonly #onSilent: () => void
  #cancel: () => void

  constructor(clock: Clock, silenceMs: number, onSilent: () => void) {
    this.#clock = clock
    this.#silenceMs = silenceMs
    this.#onSilent = onSilent
    this.#cancel = clock.schedule(silenceMs, onSilent)
  }

  /** Restarts the timer, after the server has sent something. */
  heard(): void {
    this.#cancel()
    this.#cancel = this.#clock.schedule(this.#silenceMs, this.#onSilent)
  }

  stop(): void {
    this.#cancel()
  }
}
