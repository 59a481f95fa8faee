import type { Store } from '../store/store.js'

/** The members of a store that are read here. */
type Cache = Pick<Store, 'synced' | 'served' | 'whenSynced' | 'whenServed'>

/** The caches that the runs of a controller read. No key runs before all of them hold their first lists. */
export class RequiredCaches {
  readonly #stores: () => readonly Cache[]

  constructor(stores: () => readonly Cache[]) {
    this.#stores = stores
  }

  /** Whether all caches hold their first lists. */
  get synced(): boolean {
    return this.#stores().every((store) => store.synced)
  }

  /**
   * Whether the API server serves the kinds of all caches. The cache of a kind that is not served may be out of date.
   */
  get served(): boolean {
    return this.#stores().every((store) => store.served)
  }

  /** Whether runs may act on what the caches hold. */
  get usable(): boolean {
    return this.served && this.synced
  }

  /** Resolves once {@link synced}, or rejects with the signal's reason. */
  async whenSynced(signal: AbortSignal): Promise<void> {
    await Promise.all(this.#stores().map((store) => store.whenSynced(signal)))
  }

  /** Resolves once {@link usable}, or rejects with the signal's reason. */
  async whenUsable(signal: AbortSignal): Promise<void> {
    while (!this.usable) await Promise.all(this.#stores().map((store) => store.whenServed(signal)))
  }
}
