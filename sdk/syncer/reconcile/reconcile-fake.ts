import type { SyncContext } from '../../context/sync-context.js'
import type { ReconcileResult } from '../../controller/reconcile-result.js'
import { freezeJson } from '../../kube/json.js'
import type { KubeObject } from '../../kube/object.js'
import { isControlledByOther } from '../../ownership/ownership.js'
import type { FakeSyncer } from '../fake-syncer.js'
import { settle } from './settle.js'

/** Runs `ctx.key` of a fake syncer once: the virtual object alone decides which method fits. */
export async function reconcileFake<T extends KubeObject>(
  syncer: FakeSyncer<T>,
  ctx: SyncContext,
): Promise<ReconcileResult | undefined> {
  const virtual = freezeJson(ctx.virtual.store(syncer.resource).get(ctx.key))
  const call = { syncer: syncer.name, key: ctx.key }
  if (virtual === undefined) return settle({ ...call, method: 'fakeSyncUp' }, syncer.fakeSyncUp(ctx, ctx.key))
  if (isControlledByOther(virtual, syncer.name)) return undefined
  return settle({ ...call, method: 'fakeSync' }, syncer.fakeSync(ctx, virtual))
}
