import { map } from 'rxjs'
import type { ReconcileResult } from '../../../engine/controller/reconcile-result.js'
import { freezeJson } from '../../../engine/kube/json.js'
import { keyOf } from '../../../engine/kube/key.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { RegisterContext } from '../../context/register-context.js'
import type { SyncContext } from '../../context/sync-context.js'
import { isControlledByOther } from '../../ownership/ownership.js'
import type { FakeSyncer } from '../fake-syncer.js'
import type { Behaviour } from './behaviour.js'
import { checkResult } from './settle.js'

/** The behaviour of a fake syncer, which follows only the virtual objects of its kind. */
export function fakeBehaviour<T extends KubeObject>(syncer: FakeSyncer<T>, ctx: RegisterContext): Behaviour {
  const store = ctx.virtual.store(syncer.resource)
  return {
    caches: [store] as unknown as Behaviour['caches'],
    knownKeys: () => store.list().map(keyOf),
    triggers$: () => ctx.virtual.changes$(syncer.resource).pipe(map(({ key }) => key)),
    reconcile: (syncCtx) => reconcileFake(syncer, syncCtx),
  }
}

/** Runs `ctx.key` once: the virtual object alone decides which method fits. */
async function reconcileFake<T extends KubeObject>(
  syncer: FakeSyncer<T>,
  ctx: SyncContext,
): Promise<ReconcileResult | undefined> {
  const virtual = freezeJson(ctx.virtual.store(syncer.resource).get(ctx.key))
  if (virtual && isControlledByOther(virtual, syncer.name)) return undefined
  const method = virtual ? 'fakeSync' : 'fakeSyncUp'
  const result = virtual ? syncer.fakeSync(ctx, virtual) : syncer.fakeSyncUp(ctx, ctx.key)
  return checkResult({ syncer: syncer.name, method, key: ctx.key }, result)
}
