import { formatKey, type Key } from '../kube/key.js'

/** The keys that wait for a foreign object to free a name. A key waits for one foreign object at most. */
export class NameConflicts {
  readonly #keysAt = new Map<string, Map<string, Key>>()
  readonly #foreignOf = new Map<string, string>()

  /**
   * Records that `key` waits for the foreign object `foreignKey`. Returns whether the key did not wait for it before.
   */
  add(foreignKey: Key, key: Key): boolean {
    const foreign = formatKey(foreignKey)
    const name = formatKey(key)
    if (this.#foreignOf.get(name) === foreign) return false
    this.clear(key)
    this.#foreignOf.set(name, foreign)
    const keys = this.#keysAt.get(foreign) ?? new Map<string, Key>()
    this.#keysAt.set(foreign, keys.set(name, key))
    return true
  }

  /** The foreign object that `key` waits for, by `formatKey`. */
  foreignOf(key: Key): string | undefined {
    return this.#foreignOf.get(formatKey(key))
  }

  /** The keys to run when this object changed or was deleted. */
  waitingFor(foreignKey: Key): Key[] {
    return [...(this.#keysAt.get(formatKey(foreignKey))?.values() ?? [])]
  }

  /** Records that `key` has run without a name conflict. */
  clear(key: Key): void {
    const name = formatKey(key)
    const foreign = this.#foreignOf.get(name)
    if (foreign === undefined) return
    this.#foreignOf.delete(name)
    const keys = this.#keysAt.get(foreign)
    keys?.delete(name)
    if (keys?.size === 0) this.#keysAt.delete(foreign)
  }
}
