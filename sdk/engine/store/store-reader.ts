import { formatKey, type Key } from '../kube/key.js'
import type { KubeObject } from '../kube/object.js'
import { laterOf } from '../kube/resource-version.js'
import type { OwnWrites } from './own-writes.js'
import type { Store, Unconfirmed } from './store.js'
import type { StoredObjects } from './stored-objects.js'
import type { SyncState } from './sync-state.js'

/** The parts of a store; `StoreWriter` changes them and {@link StoreReader} reads them. */
export interface StoreParts<T extends KubeObject> {
  readonly objects: StoredObjects<T>
  readonly own: OwnWrites<T>
  readonly state: SyncState
}

/**
 * The store for its readers, which `StoreWriter` makes. It reads the writer's own objects, without a copy. The parts
 * are private members, so that no caller can reach a method that writes. The reader is frozen, because all callers
 * share it.
 */
export class StoreReader<T extends KubeObject> implements Store<T> {
  readonly #objects: StoredObjects<T>
  readonly #ownWrites: OwnWrites<T>
  readonly #state: SyncState

  constructor({ objects, own, state }: StoreParts<T>) {
    this.#objects = objects
    this.#ownWrites = own
    this.#state = state
    Object.freeze(this)
  }

  get size(): number {
    return this.#objects.size
  }

  get synced(): boolean {
    return this.#state.synced
  }

  get served(): boolean {
    return this.#state.served
  }

  get leftOut(): number {
    return this.#state.leftOut
  }

  get resourceVersion(): string | undefined {
    return this.#state.resourceVersion
  }

  get latestKnown(): string | undefined {
    return laterOf(this.#state.resourceVersion, this.#ownWrites.resourceVersion)
  }

  get unconfirmed(): Unconfirmed {
    return { count: this.#ownWrites.size, oldestMs: this.#ownWrites.oldestMs }
  }

  get(key: Key): T | undefined {
    return this.#objects.get(formatKey(key))
  }

  list(namespace?: string): T[] {
    const objects = [...this.#objects.values()]
    return namespace === undefined
      ? objects
      : objects.filter(({ metadata }) => metadata.namespace === namespace)
  }

  addIndex(name: string, valuesOf: (object: T) => readonly string[]): void {
    this.#objects.addIndex(name, valuesOf)
  }

  byIndex(name: string, value: string): T[] {
    return this.#objects.byIndex(name, value)
  }

  whenSynced(signal?: AbortSignal): Promise<void> {
    return this.#state.when(() => this.synced, signal)
  }

  whenServed(signal?: AbortSignal): Promise<void> {
    return this.#state.when(() => this.synced && this.served, signal)
  }

  whenAnswered(signal?: AbortSignal): Promise<void> {
    return this.#state.when(() => this.synced || !this.served || this.#state.forbidden, signal)
  }
}
