import type { Observable } from 'rxjs'
import type { Cluster } from '../../../engine/cluster/cluster.js'
import type { NameConflicts } from '../../../engine/controller/name-conflicts.js'
import type { ReconcileResult } from '../../../engine/controller/reconcile-result.js'
import type { Key } from '../../../engine/kube/key.js'
import type { SyncContext } from '../../context/sync-context.js'

/** The part of a controller in which syncers and fake syncers differ. */
export interface Behaviour {
  /** The caches of the syncer's own kind. */
  readonly caches: readonly ReturnType<Cluster['store']>[]
  knownKeys(): Iterable<Key>
  triggers$(conflicts: NameConflicts): Observable<Key>
  reconcile(ctx: SyncContext): Promise<ReconcileResult | undefined>
}
