/** Finds objects by computed values. An object is found under each of its values. */
export class ObjectIndex<T> {
  readonly #valuesOf: (object: T) => readonly string[]
  readonly #byValue = new Map<string, Map<string, T>>()
  /** The values of an object when it was added; a caller that changed the object since does not break the index. */
  readonly #filedUnder = new Map<string, readonly string[]>()

  constructor(valuesOf: (object: T) => readonly string[]) {
    this.#valuesOf = valuesOf
  }

  /** The objects with a value. */
  get(value: string): T[] {
    return [...(this.#byValue.get(value)?.values() ?? [])]
  }

  /** Adds an object, or replaces the one with the same `id`. Throws what `valuesOf` throws. */
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
