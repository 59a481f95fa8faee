import { formatKey, type Key } from '../../kube/key.js'

/** Which keys wait for which stranger to leave the host name they need. A key waits for at most one. */
export class Refusals {
  readonly #keysAt = new Map<string, Map<string, Key>>()
  readonly #hostOf = new Map<string, string>()

  /** Notes that `key` cannot be copied while `hostKey` is a stranger's. Answers whether that is news. */
  add(hostKey: Key, key: Key): boolean {
    const host = formatKey(hostKey)
    const name = formatKey(key)
    if (this.#hostOf.get(name) === host) return false
    this.clear(key)
    this.#hostOf.set(name, host)
    const keys = this.#keysAt.get(host) ?? new Map<string, Key>()
    this.#keysAt.set(host, keys.set(name, key))
    return true
  }

  /** The name of the host object that `key` waits for, by `formatKey`. */
  hostOf(key: Key): string | undefined {
    return this.#hostOf.get(formatKey(key))
  }

  /** The keys that wait for this host object: it changed or left. */
  waitingFor(hostKey: Key): Key[] {
    return [...(this.#keysAt.get(formatKey(hostKey))?.values() ?? [])]
  }

  /** `key` was served: it waits for nobody any more. */
  clear(key: Key): void {
    const name = formatKey(key)
    const host = this.#hostOf.get(name)
    if (host === undefined) return
    this.#hostOf.delete(name)
    const keys = this.#keysAt.get(host)
    keys?.delete(name)
    if (keys?.size === 0) this.#keysAt.delete(host)
  }
}
