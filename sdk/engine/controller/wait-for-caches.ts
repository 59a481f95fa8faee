import { formatKey, type Key } from '../kube/key.js'
import type { RequiredCaches } from './required-caches.js'

/** Options of {@link WaitForCaches}. */
export interface WaitForCachesOptions {
  caches: RequiredCaches
  /** Ends the waiting. */
  stop: AbortSignal
  /** Called with the skipped keys when the caches are usable again: enqueues these keys and all known ones. */
  onUsable: (skipped: Iterable<Key>) => void
}

/** The maximum number of remembered keys. */
const maxSkipped = 100_000

/**
 * Skips runs while a kind that the controller reads is not served, or objects of it are left out for lack of memory,
 * and enqueues every key when that is over. The skipped keys are remembered, because the caches do not know the keys of
 * objects that are gone meanwhile; of too many the oldest are forgotten, because memory may be short.
 */
export class WaitForCaches {
  readonly #options: WaitForCachesOptions
  #isWaiting = false
  #skipped = new Map<string, Key>()

  constructor(options: WaitForCachesOptions) {
    this.#options = options
  }

  /** Whether a run of the key that is due must be skipped. */
  skips(key: Key): boolean {
    if (this.#options.caches.usable) return false
    this.#remember(key)
    if (!this.#isWaiting) this.#wait()
    return true
  }

  #remember(key: Key): void {
    this.#skipped.set(formatKey(key), key)
    const [oldest = ''] = this.#skipped.keys()
    if (this.#skipped.size > maxSkipped) this.#skipped.delete(oldest)
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
      const skipped = this.#skipped
      this.#skipped = new Map()
      if (isUsable) onUsable(skipped.values())
    })
  }
}
