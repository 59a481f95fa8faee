import type { Observable } from 'rxjs'
import type { Cluster } from '../../../engine/cluster/cluster.js'
import type { NameConflicts } from '../../../engine/controller/name-conflicts.js'
import type { ReconcileResult } from '../../../engine/controller/reconcile-result.js'
import type { Key } from '../../../engine/kube/key.js'
import type { SyncContext } from '../../context/sync-context.js'

/** The part of a controller in which syncers and fake syncers differ. `syncerController` makes a controller of it. */
export interface Behaviour {
  /** The caches of the syncer's own kind. */
  readonly caches: readonly ReturnType<Cluster['store']>[]
  /** The keys of all objects in the caches, which run once after the start. */
  knownKeys(): Iterable<Key>
  /** The keys to run after changes. `conflicts` has the keys that wait until a foreign object frees a name. */
  triggers$(conflicts: NameConflicts): Observable<Key>
  /** Runs `ctx.key` once. */
  reconcile(ctx: SyncContext): Promise<ReconcileResult | undefined>
}
