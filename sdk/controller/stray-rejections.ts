import { AsyncLocalStorage } from 'node:async_hooks'

/** Told of the rejection of a promise that a run left behind. */
export type OnStray = (error: unknown) => void

/**
 * Keeps a promise that a syncer forgot to wait for from ending the process, as Node has it for every rejection that
 * nobody handles. Each is told to the run that it came from; those from anywhere else end the process as before.
 */
export class StrayRejections {
  readonly #run = new AsyncLocalStorage<OnStray>()
  readonly #onUnhandled = (error: unknown) => {
    const onStray = this.#run.getStore()
    if (onStray) return onStray(error)
    // With a listener Node leaves it to that: where there is no other, what is not ours goes on as it would have.
    if (process.listenerCount('unhandledRejection') === 1) throw error
  }

  /** Begins to listen, until the signal aborts. */
  contain(signal: AbortSignal): void {
    process.on('unhandledRejection', this.#onUnhandled)
    signal.addEventListener('abort', () => process.off('unhandledRejection', this.#onUnhandled), {
      once: true,
    })
  }

  /** Runs `run`; what it leaves behind is told to `onStray`. */
  of<T>(onStray: OnStray, run: () => Promise<T>): Promise<T> {
    return this.#run.run(onStray, run)
  }
}
