/** Finds objects by values computed from them. An object is found under each of its values. */
export class ObjectIndex<T> {
  readonly #valuesOf: (object: T) => readonly string[]
  readonly #byValue = new Map<string, Map<string, T>>()
  /** The values an object was filed under; its own may have changed since, if someone edited it. */
  readonly #filedUnder = new Map<string, readonly string[]>()

  constructor(valuesOf: (object: T) => readonly string[]) {
    this.#valuesOf = valuesOf
  }

  /** The objects filed under a value. */
  get(value: string): T[] {
    return [...(this.#byValue.get(value)?.values() ?? [])]
  }

  /** Files an object under its values, in place of the one that had the same `id`. Throws what `valuesOf` throws. */
  put(id: string, object: T): void {
    this.remove(id)
    const values = this.#valuesOf(object)
    if (values.length === 0) return
    this.#filedUnder.set(id, values)
    for (const value of values) {
      const objects = this.#byValue.get(value) ?? new Map<string, T>()
      this.#byValue.set(value, objects.set(id, object))
    }
  }

  remove(id: string): void {
    for (const value of this.#filedUnder.get(id) ?? []) {
      const objects = this.#byValue.get(value)
      objects?.delete(id)
      if (objects?.size === 0) this.#byValue.delete(value)
    }
    this.#filedUnder.delete(id)
  }
}
