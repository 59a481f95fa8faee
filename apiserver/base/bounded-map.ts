/** A map that forgets the entries that were set first when it has too many. */
export class BoundedMap<V> {
  readonly #max: number
  readonly #values = new Map<string, V>()

  /** `max` is the number of entries to keep. */
  constructor(max: number) {
    this.#max = max
  }

  get(key: string): V | undefined {
    return this.#values.get(key)
  }

  set(key: string, value: V): void {
    this.#values.set(key, value)
    const [first] = this.#values.keys()
    if (this.#values.size > this.#max && first !== undefined) this.#values.delete(first)
  }
}
