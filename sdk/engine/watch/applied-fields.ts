import type { KubeObject } from '../kube/object.js'

/** The members of an entry of `metadata.managedFields` that are read here. */
interface Entry {
  readonly manager?: string
}

/**
 * The entries of `metadata.managedFields` that some field managers have in the objects of first lists. Stores drop
 * `managedFields`; with these entries a program knows at its start, without a request, which fields it has applied
 * before. An entry takes memory until it is taken, or until its object is replaced by a newer one.
 */
export class AppliedFields {
  readonly #managers = new Set<string>()
  /** The entries as JSON, which takes a fraction of the memory of parsed entries. */
  readonly #entries = new WeakMap<KubeObject, string>()

  /** Keeps the entries of a field manager from now on. */
  keep(manager: string): void {
    this.#managers.add(manager)
  }

  /** Records an object of a list, with its `managedFields`, which are removed after this. */
  note(object: KubeObject, managedFields: readonly unknown[] = []): void {
    if (this.#managers.size === 0) return
    const entries = managedFields.filter((entry) => this.#managers.has((entry as Entry).manager ?? ''))
    if (entries.length > 0) this.#entries.set(object, JSON.stringify(entries))
  }

  /** Returns the entries of an object of a store, and forgets them; undefined if none are known. */
  take(object: KubeObject): readonly unknown[] | undefined {
    const text = this.#entries.get(object)
    this.#entries.delete(object)
    return text === undefined ? undefined : (JSON.parse(text) as unknown[])
  }
}
