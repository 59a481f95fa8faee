import type { Observable } from 'rxjs'
import type { Key } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { Resource } from '../../engine/kube/resource.js'
import type { Side } from '../context/register-context.js'

/** An additional watch of a syncer. */
export interface SyncerWatchOptions<T extends KubeObject> {
  /** The cluster that is watched. */
  side: Side
  /**
   * Returns the keys of the syncer's virtual objects to enqueue when this object changes. Called with the object before
   * and after a change, so that a removed reference counts too. An error that it throws is logged.
   */
  keysOf: (object: T) => Iterable<Key>
  /** One namespace, or `''` for all; default all in the virtual cluster, the target namespace on the host. */
  namespace?: string
}

/**
 * Additional triggers of a syncer's keys, in addition to changes of its own kind: `modifyController` adds to it, as the
 * builder of controller-runtime does in the Go SDK.
 */
export interface Watches {
  /** Enqueues keys when objects of a kind change. No key runs before the first list of that kind is complete. */
  watch<T extends KubeObject>(resource: Resource<T>, options: SyncerWatchOptions<T>): void
  /** Enqueues the keys of an Observable: a timer, or messages from elsewhere. */
  add(keys$: Observable<Key>): void
}
