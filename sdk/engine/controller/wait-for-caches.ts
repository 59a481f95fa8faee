import type { RequiredCaches } from './required-caches.js'

/** Options of {@link WaitForCaches}. */
export interface WaitForCachesOptions {
  caches: RequiredCaches
  /** Ends the waiting. */
  stop: AbortSignal
  /** Called when the caches are usable again: enqueues every key. */
  onUsable: () => void
}

/**
 * Skips runs while a kind that the controller reads is not served, or objects of it are left out for lack of memory,
 * and enqueues every key when that is over.
 */
export class WaitForCaches {
  readonly #options: WaitForCachesOptions
  #isWaiting = false

  constructor(options: WaitForCachesOptions) {
    this.#options = options
  }

  /** Whether a run that is due must be skipped. */
  isWaiting(): boolean {
    if (this.#options.caches.usable) return false
    if (!this.#isWaiting) this.#wait()
    return true
  }

  /** Begins to wait for the caches, once for all skipped runs. */
  #wait(): void {
    const { caches, stop, onUsable } = this.#options
    this.#isWaiting = true
    const ended = caches.whenUsable(stop).then(
      () => true,
      () => false,
    )
    void ended.then((isUsable) => {
      this.#isWaiting = false
      if (isUsable) onUsable()
    })
  }
}
