import { formatKey, type Key } from '../../engine/kube/key.js'

/**
 * The keys whose objects a controller has seen and whose end it has not handled yet. A trigger may name a key that
 * never had an object, so nothing was deleted.
 */
export class SeenKeys {
  readonly #keys = new Set<string>()

  /** Called by each run that finds the object. */
  add(key: Key): void {
    this.#keys.add(formatKey(key))
  }

  /** Whether the key had an object. */
  has(key: Key): boolean {
    return this.#keys.has(formatKey(key))
  }

  /** Forgets the key, because the deletion of its object was handled. */
  forget(key: Key): void {
    this.#keys.delete(formatKey(key))
  }
}
