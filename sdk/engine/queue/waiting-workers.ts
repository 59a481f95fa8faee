import type { Key } from '../kube/key.js'

type Waiter = (key: Key | undefined) => void

/** The workers that wait for a key, in the order in which they began to wait. */
export class WaitingWorkers {
  readonly #waiters = new Set<Waiter>()

  /** Resolves with a key of {@link serve}, or with `undefined` when the queue is closed or the signal aborts. */
  wait(signal: AbortSignal | undefined): Promise<Key | undefined> {
    return new Promise((resolve) => {
      const onAbort = () => waiter(undefined)
      const waiter: Waiter = (key) => {
        this.#waiters.delete(waiter)
        signal?.removeEventListener('abort', onAbort)
        resolve(key)
      }
      this.#waiters.add(waiter)
      signal?.addEventListener('abort', onAbort, { once: true })
    })
  }

  /** Gives each worker a key, as long as `take` has one. */
  serve(take: () => Key | undefined): void {
    for (const waiter of this.#waiters) {
      const key = take()
      if (key === undefined) return
      waiter(key)
    }
  }

  close(): void {
    for (const waiter of this.#waiters) waiter(undefined)
  }
}
