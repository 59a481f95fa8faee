import { formatKey, type Key } from '../kube/key.js'

/**
 * The keys that wait for a foreign object to free a name. A key waits for one foreign object at most. `ResultHandler`
 * adds and clears keys; the triggers of a controller run the waiting keys when the foreign object changes.
 */
export class NameConflicts {
  readonly #waitingKeys = new Map<string, Map<string, Key>>()
  readonly #foreignOf = new Map<string, string>()

  /**
   * Records that `key` waits for the foreign object `foreignKey`. Returns whether the key did not wait for it before.
   */
  add(foreignKey: Key, key: Key): boolean {
    const foreign = formatKey(foreignKey)
    const keyText = formatKey(key)
    if (this.#foreignOf.get(keyText) === foreign) return false
    this.clear(key)
    this.#foreignOf.set(keyText, foreign)
    const keys = this.#waitingKeys.get(foreign) ?? new Map<string, Key>()
    this.#waitingKeys.set(foreign, keys.set(keyText, key))
    return true
  }

  /** The foreign object that `key` waits for, by `formatKey`. */
  foreignOf(key: Key): string | undefined {
    return this.#foreignOf.get(formatKey(key))
  }

  /** The keys to run when this object changed or was deleted. */
  waitingFor(foreignKey: Key): Key[] {
    return [...(this.#waitingKeys.get(formatKey(foreignKey))?.values() ?? [])]
  }

  /** Records that `key` has run without a name conflict. */
  clear(key: Key): void {
    const keyText = formatKey(key)
    const foreign = this.#foreignOf.get(keyText)
    if (foreign === undefined) return
    this.#foreignOf.delete(keyText)
    const keys = this.#waitingKeys.get(foreign)
    keys?.delete(keyText)
    if (keys?.size === 0) this.#waitingKeys.delete(foreign)
  }
}
