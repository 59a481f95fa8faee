/** A cache with a limit for the total size of its values; the least recently used values are removed first. */
export class LeastRecent<T> {
  readonly #maxSize: number
  readonly #entries = new Map<string, { readonly value: T; readonly size: number }>()
  #size = 0

  /** `maxSize` is the limit of the total size of the values. */
  constructor(maxSize: number) {
    this.#maxSize = maxSize
  }

  get(key: string): T | undefined {
    const entry = this.#entries.get(key)
    if (!entry) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry.value
  }

  set(key: string, value: T, size: number): void {
    this.delete(key)
    if (size > this.#maxSize) return
    this.#entries.set(key, { value, size })
    this.#size += size
    for (const oldest of this.#entries.keys()) {
      if (this.#size <= this.#maxSize) break
      this.delete(oldest)
    }
  }

  delete(key: string): void {
    this.#size -= this.#entries.get(key)?.size ?? 0
    this.#entries.delete(key)
  }
}
