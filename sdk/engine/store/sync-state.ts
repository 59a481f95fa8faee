import { isEarlier } from '../kube/resource-version.js'

/** The progress of a store's watch, and the callers that wait for it. `StoreWriter` records it; readers wait by it. */
export class SyncState {
  readonly #waiters = new Set<() => void>()
  #resourceVersion: string | undefined
  #synced = false
  #served = true
  #forbidden = false
  #leftOut = 0

  /** See {@link Store.synced}. */
  get synced(): boolean {
    return this.#synced
  }

  /** See {@link Store.served}. */
  get served(): boolean {
    return this.#served
  }

  /** Whether the last list was forbidden. */
  get forbidden(): boolean {
    return this.#forbidden
  }

  /** See {@link Store.leftOut}. */
  get leftOut(): number {
    return this.#leftOut
  }

  /** See {@link Store.resourceVersion}. */
  get resourceVersion(): string | undefined {
    return this.#resourceVersion
  }

  /** Records that a list begins. */
  begin(): void {
    this.#leftOut = 0
  }

  /** Records that a list is complete. */
  complete(resourceVersion: string): void {
    this.#resourceVersion = resourceVersion
    this.#synced = this.#leftOut === 0
    this.#served = true
    this.#forbidden = false
    this.#notifyWaiters()
  }

  /** Records that the watch has reached a resourceVersion. A version earlier than the last one is ignored. */
  advance(resourceVersion: string | undefined): void {
    if (!isEarlier(resourceVersion, this.#resourceVersion)) this.#resourceVersion = resourceVersion
  }

  /** Records that an object or a change is left out because memory is short. */
  leaveOut(): void {
    this.#leftOut++
    this.#synced = false
  }

  /** Records that the API server does not serve the kind. */
  unserve(): void {
    this.#served = false
    this.#notifyWaiters()
  }

  /** Records that the API server does not allow to list the kind. */
  forbid(): void {
    this.#forbidden = true
    this.#notifyWaiters()
  }

  /** Resolves when the condition holds; rejects with the signal's reason. */
  when(holds: () => boolean, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      if (holds()) return resolve()
      const check = () => {
        if (!holds()) return
        this.#waiters.delete(check)
        signal?.removeEventListener('abort', onAbort)
        resolve()
      }
      const onAbort = () => {
        this.#waiters.delete(check)
        reject(signal?.reason)
      }
      this.#waiters.add(check)
      signal?.addEventListener('abort', onAbort, { once: true })
    })
  }

  #notifyWaiters(): void {
    for (const check of [...this.#waiters]) check()
  }
}
