/**
 * The cache of one kind in one cluster: filled by one watch, read by any number of readers.
 *
 * A reader sees an own write as soon as it is noted, and never an older state afterwards. A relist reports objects that
 * were deleted while no watch was open. A change is emitted after the store has it. Objects in a store are shared:
 * treat them as frozen. A `Store` can only be read: `store-writer.ts` fills it, `stores.ts` shares one store between
 * callers, `watch/` watches, and the controller decides when to act.
 */
import type { Key } from '../kube/key.js'
import type { KubeObject } from '../kube/object.js'
import type { Selectors } from './selectors.js'
import type { Writer } from './writer.js'

/** A change of a store. The store has the change already. */
export interface Change<T extends KubeObject = KubeObject> {
  readonly key: Key
  /** The object as it is now; if it is gone, its last known state. */
  readonly object: T
  /** The object that the store held before. Another UID means that the object was deleted and created again. */
  readonly previous?: T
  readonly gone: boolean
  /**
   * The run that wrote the object, if the API server stored exactly what the run asked for; left out for a change by
   * somebody else, and for a change that the API server or a webhook has altered.
   */
  readonly writtenBy?: Writer
}

/** Selects the objects of a kind that a store holds, and whether it holds them whole. */
export interface StoreScope extends Selectors {
  /** A namespace, or `''` for all namespaces; default the namespace of the cluster. Cluster-scoped kinds ignore it. */
  namespace?: string
  /** Holds the metadata of the objects alone, which saves memory; default false. */
  metadataOnly?: boolean
}

/** Own writes that the watch has not confirmed yet. */
export interface Unconfirmed {
  readonly count: number
  /** The age of the oldest unconfirmed write, in milliseconds; 0 if there is none. */
  readonly oldestMs: number
}

/**
 * The cache of one kind in one cluster. It has no member that changes its content: only the watch and the own
 * writes of the cluster's client do.
 *
 * @example
 * ```ts
 * const store = ctx.host.store(configMaps)
 * await store.whenSynced()
 * const settings = store.get({ namespace: ctx.targetNamespace, name: 'settings' })
 * const inNamespace = store.list(ctx.targetNamespace)
 * ```
 */
export interface Store<T extends KubeObject = KubeObject> {
  /** The number of objects. */
  readonly size: number
  /** Whether the first list is complete and no object was left out since. Until then a missing object may exist. */
  readonly synced: boolean
  /** Whether the API server serves the kind, by its last answer. If not, the store keeps the last known objects. */
  readonly served: boolean
  /** The number of objects and changes that were left out because memory is short. A later list adds them. */
  readonly leftOut: number
  /** The resourceVersion that the watch has reached; `undefined` before the first list. */
  readonly resourceVersion: string | undefined
  /** The latest known resourceVersion: from the watch, or from the answer to an own write. */
  readonly latestKnown: string | undefined
  /** The own writes that the watch has not confirmed yet; readers see them already. */
  readonly unconfirmed: Unconfirmed
  /** The object with this key. */
  get(key: Key): T | undefined
  /** All objects, or those of one namespace. It iterates over all objects. */
  list(namespace?: string): T[]
  /**
   * Indexes every object, present and future, by the values that `valuesOf` computes from it; {@link byIndex} finds
   * them. If `valuesOf` throws, the object is not in the index, and the error is logged.
   *
   * @throws `PluginError` with code `DUPLICATE_INDEX` if an index with this name exists
   */
  addIndex(name: string, valuesOf: (object: T) => readonly string[]): void
  /**
   * The objects with a value in an index.
   *
   * @throws `PluginError` with code `UNKNOWN_INDEX` if no index has this name
   */
  byIndex(name: string, value: string): T[]
  /** Resolves when the first list is complete; rejects with the signal's reason. */
  whenSynced(signal?: AbortSignal): Promise<void>
  /** Resolves when the first list is complete and the kind is served; rejects with the signal's reason. */
  whenServed(signal?: AbortSignal): Promise<void>
  /** Resolves when the first list is complete, or when it is known that the kind is not served or may not be listed. */
  whenAnswered(signal?: AbortSignal): Promise<void>
}
