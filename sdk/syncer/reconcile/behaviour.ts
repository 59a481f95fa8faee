import type { Observable } from 'rxjs'
import type { Cluster } from '../../cluster/cluster.js'
import type { SyncContext } from '../../context/sync-context.js'
import type { NameConflicts } from '../../controller/name-conflicts.js'
import type { ReconcileResult } from '../../controller/reconcile-result.js'
import type { Key } from '../../kube/key.js'

/** The part of a controller in which syncers and fake syncers differ. */
export interface Behaviour {
  /** The caches of its own kind. */
  readonly caches: readonly ReturnType<Cluster['store']>[]
  knownKeys(): Iterable<Key>
  triggers$(conflicts: NameConflicts): Observable<Key>
  reconcile(ctx: SyncContext): Promise<ReconcileResult | undefined>
}
