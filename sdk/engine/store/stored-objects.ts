import { PluginError } from '../kube/error.js'
import { keyOf } from '../kube/key.js'
import type { KubeObject } from '../kube/object.js'
import type { Logger } from '../observe/logger.js'
import { ObjectIndex } from './object-index.js'
import type { Change } from './store.js'

/** The objects that the readers of a store see, by `formatKey`, and their indices. Only `StoreWriter` changes them. */
export class StoredObjects<T extends KubeObject> {
  readonly #logger: Logger
  readonly #objects = new Map<string, T>()
  readonly #indices = new Map<string, ObjectIndex<T>>()

  constructor(logger: Logger) {
    this.#logger = logger
  }

  get size(): number {
    return this.#objects.size
  }

  get(id: string): T | undefined {
    return this.#objects.get(id)
  }

  ids(): Iterable<string> {
    return this.#objects.keys()
  }

  values(): Iterable<T> {
    return this.#objects.values()
  }

  put(id: string, object: T): Change<T> {
    const previous = this.#objects.get(id)
    this.#objects.set(id, object)
    for (const name of this.#indices.keys()) this.#addToIndex(name, id, object)
    return { key: keyOf(object), object, ...(previous && { previous }), gone: false }
  }

  remove(id: string): T | undefined {
    const previous = this.#objects.get(id)
    this.#objects.delete(id)
    for (const index of this.#indices.values()) index.remove(id)
    return previous
  }

  /** See {@link Store.addIndex}. */
  addIndex(name: string, valuesOf: (object: T) => readonly string[]): void {
    if (this.#indices.has(name)) {
      throw new PluginError('DUPLICATE_INDEX', `an index named "${name}" exists already: choose another name`)
    }
    this.#indices.set(name, new ObjectIndex(valuesOf))
    for (const [id, object] of this.#objects) this.#addToIndex(name, id, object)
  }

  /** See {@link Store.byIndex}. */
  byIndex(name: string, value: string): T[] {
    const index = this.#indices.get(name)
    if (index) return index.get(value)
    throw new PluginError(
      'UNKNOWN_INDEX',
      `there is no index "${name}": add it with addIndex in registerIndices`,
    )
  }

  /** Adds an object to an index. Logs the error of an index function, which is code of the user. */
  #addToIndex(name: string, id: string, object: T): void {
    try {
      this.#indices.get(name)?.put(id, object)
    } catch (error) {
      this.#logger.error(
        { index: name, key: id, error },
        'an index function threw; the object is not in the index',
      )
    }
  }
}
