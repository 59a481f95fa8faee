import type { Observable } from 'rxjs'
import type { Key } from '../kube/key.js'
import type { KubeObject } from '../kube/object.js'
import type { Resource } from '../kube/resource.js'
import type { NameConflicts } from './name-conflicts.js'
import type { RequiredCaches } from './required-caches.js'
import type { RunHandler } from './run.js'

/**
 * A reconciler and what triggers it: changes are mapped to keys, each key waits in a work queue, and `reconcile` runs
 * one key at a time. {@link runController} runs it.
 */
export interface Controller {
  /** Names it in logs, metrics and Events. */
  readonly name: string
  /** The kind of the objects that keys name. */
  readonly resource: Resource
  /** How long one run may take, in milliseconds. */
  readonly runLimitMs: number
  /** The caches that runs read. */
  readonly caches: RequiredCaches
  /** Emits the keys that changes trigger. A change of a foreign object also triggers the keys that wait for it. */
  triggers$(conflicts: NameConflicts): Observable<Key>
  /** The keys of all objects that the caches hold, some more than once. */
  knownKeys(): Iterable<Key>
  /** The object that Events about a key are written to, if it exists. */
  eventTarget(key: Key): KubeObject | undefined
  /** Runs one key once. Errors are retried with backoff, except a `PermanentError`. */
  reconcile: RunHandler
}
