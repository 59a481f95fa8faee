import { AsyncLocalStorage } from 'node:async_hooks'

/** Called with the rejection of a promise that a run did not await. */
export type OnUnhandledRejection = (error: unknown) => void

/**
 * Keeps a promise that a reconciler forgot to await from ending the process, which Node does for every unhandled
 * rejection. Each rejection is passed to the run that it came from; one from anywhere else ends the process as before.
 */
export class UnhandledRejections {
  readonly #currentRun = new AsyncLocalStorage<OnUnhandledRejection>()
  readonly #onUnhandled = (error: unknown) => {
    const onRejection = this.#currentRun.getStore()
    if (onRejection) return onRejection(error)
    // A listener keeps Node from ending the process. If it is the only one, a rejection of anything else is thrown.
    if (process.listenerCount('unhandledRejection') === 1) throw error
  }

  /** Starts to listen, until the signal aborts. */
  listen(signal: AbortSignal): void {
    process.on('unhandledRejection', this.#onUnhandled)
    signal.addEventListener('abort', () => process.off('unhandledRejection', this.#onUnhandled), {
      once: true,
    })
  }

  /** Calls `run`, and passes its unhandled rejections to `onRejection`. */
  runContained<T>(onRejection: OnUnhandledRejection, run: () => Promise<T>): Promise<T> {
    return this.#currentRun.run(onRejection, run)
  }
}
