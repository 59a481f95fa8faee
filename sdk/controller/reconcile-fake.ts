import type { SyncContext } from '../context/sync-context.js'
import { freezeJson } from '../kube/json.js'
import type { KubeObject } from '../kube/object.js'
import type { FakeSyncer } from '../syncer/fake-syncer.js'
import type { Outcome } from '../syncer/outcome.js'
import { isControlledByOther } from '../translator/ownership.js'
import { settle } from './reconcile.js'

/** Runs `ctx.key` of a fake syncer once: the virtual object alone decides which method fits. */
export async function reconcileFake<T extends KubeObject>(
  syncer: FakeSyncer<T>,
  ctx: SyncContext,
): Promise<Outcome | undefined> {
  const virtual = freezeJson(ctx.virtual.store(syncer.resource).get(ctx.key))
  if (virtual === undefined) return settle(syncer.fakeSyncUp(ctx, ctx.key))
  return isControlledByOther(virtual, syncer.name) ? undefined : settle(syncer.fakeSync(ctx, virtual))
}
