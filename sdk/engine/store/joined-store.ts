import sumBy from 'lodash/sumBy.js'
import { PluginError } from '../kube/error.js'
import type { Key } from '../kube/key.js'
import type { KubeObject } from '../kube/object.js'
import { isLater } from '../kube/resource-version.js'
import type { Store, Unconfirmed } from './store.js'

/**
 * The stores of one kind in several namespaces, read as one store: for controllers that work in a list of namespaces.
 * Each part is filled by its own watch.
 */
export class JoinedStore<T extends KubeObject> implements Store<T> {
  readonly #parts: ReadonlyMap<string, Store<T>>

  /** `parts` are the stores by namespace, at least one. */
  constructor(parts: ReadonlyMap<string, Store<T>>) {
    this.#parts = parts
  }

  get size(): number {
    return sumBy(this.#stores, (part) => part.size)
  }

  get synced(): boolean {
    return this.#stores.every((part) => part.synced)
  }

  get served(): boolean {
    return this.#stores.every((part) => part.served)
  }

  get leftOut(): number {
    return sumBy(this.#stores, (part) => part.leftOut)
  }

  /** The resourceVersion that every part has reached. */
  get resourceVersion(): string | undefined {
    const versions = this.#stores.map((part) => part.resourceVersion)
    if (versions.includes(undefined)) return undefined
    return versions.reduce((earliest, version) => (isLater(earliest, version) ? version : earliest))
  }

  get latestKnown(): string | undefined {
    const versions = this.#stores.map((part) => part.latestKnown)
    return versions.reduce((latest, version) => (isLater(version, latest) ? version : latest))
  }

  get unconfirmed(): Unconfirmed {
    const parts = this.#stores.map((part) => part.unconfirmed)
    return {
      count: sumBy(parts, ({ count }) => count),
      oldestMs: Math.max(...parts.map(({ oldestMs }) => oldestMs)),
    }
  }

  get(key: Key): T | undefined {
    return this.#parts.get(key.namespace)?.get(key)
  }

  list(namespace?: string): T[] {
    if (namespace === undefined) return this.#stores.flatMap((part) => part.list())
    return this.#parts.get(namespace)?.list() ?? []
  }

  /** Adds an index to every part. A part that another joined store shares may have the index already. */
  addIndex(name: string, valuesOf: (object: T) => readonly string[]): void {
    const duplicateErrors = this.#stores.map((part) => tryToAdd(part, name, valuesOf))
    const [firstError] = duplicateErrors
    if (firstError && duplicateErrors.every(Boolean)) throw firstError
  }

  byIndex(name: string, value: string): T[] {
    return this.#stores.flatMap((part) => part.byIndex(name, value))
  }

  async whenSynced(signal?: AbortSignal): Promise<void> {
    await Promise.all(this.#stores.map((part) => part.whenSynced(signal)))
  }

  async whenServed(signal?: AbortSignal): Promise<void> {
    await Promise.all(this.#stores.map((part) => part.whenServed(signal)))
  }

  async whenAnswered(signal?: AbortSignal): Promise<void> {
    await Promise.all(this.#stores.map((part) => part.whenAnswered(signal)))
  }

  get #stores(): readonly Store<T>[] {
    return [...this.#parts.values()]
  }
}

/** Adds an index to a part. Returns the error of a part that already has the index. */
function tryToAdd<T extends KubeObject>(
  part: Store<T>,
  name: string,
  valuesOf: (object: T) => readonly string[],
): PluginError | undefined {
  try {
    part.addIndex(name, valuesOf)
    return undefined
  } catch (error) {
    if (error instanceof PluginError && error.code === 'DUPLICATE_INDEX') return error
    throw error
  }
}
