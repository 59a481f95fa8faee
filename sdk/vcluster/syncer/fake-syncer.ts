import type { DeepReadonly } from '../../engine/kube/deep-readonly.js'
import type { Key } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { SyncContext } from '../context/sync-context.js'
import { Reconciler } from './reconciler.js'
import type { SyncResult } from './sync-result.js'

/**
 * Creates objects of the virtual cluster without a counterpart on the host, such as a Node for each name that a Pod was
 * scheduled to. Only the virtual cluster is watched; `modifyController` adds other triggers (`FakeSyncer` in
 * `syncer/types.go` @ vcluster-sdk v0.4.2).
 *
 * As with a {@link Syncer}, a key is never run twice at a time, and a run that throws is retried with backoff. An
 * object that another controller manages (`vcluster.loft.sh/controlled-by`) is left alone.
 *
 * @example
 * ```ts
 * class Nodes extends FakeSyncer<Node> {
 *   override async fakeSyncUp(ctx: SyncContext, { name }: Key) {
 *     await ctx.virtual.client.create(nodes, { metadata: { name } })
 *   }
 *   override async fakeSync() {}
 * }
 * plugin.register(new Nodes('nodes', nodes))
 * ```
 */
export abstract class FakeSyncer<T extends KubeObject = KubeObject> extends Reconciler<T> {
  /** Called if the virtual object does not exist: create it if something needs it. */
  abstract fakeSyncUp(ctx: SyncContext, key: Key): SyncResult
  /** Called with the existing virtual object, deeply frozen: update it, or delete it if nothing needs it any more. */
  abstract fakeSync(ctx: SyncContext, virtual: DeepReadonly<T>): SyncResult
}
