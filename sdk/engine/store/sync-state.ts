import { isEarlier } from '../kube/resource-version.js'

/** How far the watch of a store has come, and the callers that wait for it. */
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

  /** A list begins. */
  begin(): void {
    this.#leftOut = 0
  }

  /** A list is complete. */
  complete(resourceVersion: string): void {
    this.#resourceVersion = resourceVersion
    this.#synced = this.#leftOut === 0
    this.#served = true
    this.#forbidden = false
    this.#notifyWaiters()
  }

  /** The watch has reached a resourceVersion. An earlier one than before is ignored. */
  advance(resourceVersion: string | undefined): void {
    if (!isEarlier(resourceVersion, this.#resourceVersion)) this.#resourceVersion = resourceVersion
  }

  /** An object or a change is left out because memory is short. */
  leaveOut(): void {
    this.#leftOut++
    this.#synced = false
  }

  /** The API server does not serve the kind. */
  unserve(): void {
    this.#served = false
    this.#notifyWaiters()
  }

  /** The API server does not allow to list the kind. */
  forbid(): void {
    this.#forbidden = true
    this.#notifyWaiters()
  }

  /** Resolves when the condition holds; rejects with the signal's reason. */
  when(holds: () => boolean, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      if (holds()) return resolve()
      const look = () => {
        if (!holds()) return
        this.#waiters.delete(look)
        signal?.removeEventListener('abort', onAbort)
        resolve()
      }
      const onAbort = () => {
        this.#waiters.delete(look)
        reject(signal?.reason)
      }
      this.#waiters.add(look)
      signal?.addEventListener('abort', onAbort, { once: true })
    })
  }

  #notifyWaiters(): void {
    for (const look of [...this.#waiters]) look()
  }
}
