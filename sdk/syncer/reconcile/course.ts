import { map, type Observable } from 'rxjs'
import type { RegisterContext } from '../../context/register-context.js'
import type { SyncContext } from '../../context/sync-context.js'
import { type Key, keyOf } from '../../kube/key.js'
import type { KubeObject } from '../../kube/object.js'
import { hostScopes } from '../../ownership/host-objects.js'
import { FakeSyncer } from '../fake-syncer.js'
import type { Outcome } from '../outcome.js'
import type { Reconciler } from '../reconciler.js'
import { Syncer } from '../syncer.js'
import { ExtraWatches } from './extra-watches.js'
import { indexImports } from './imports.js'
import { reconcile } from './reconcile.js'
import { reconcileFake } from './reconcile-fake.js'
import type { Refusals } from './refusals.js'
import { knownKeys, rungKeys$ } from './rung-keys.js'

/** What syncers and fake syncers do each in their own way. */
export interface Course {
  /** The keys of everything the stores hold already. */
  knownKeys(): Iterable<Key>
  /** The keys that changes of the syncer's own kind ring. */
  rungKeys$(refusals: Refusals): Observable<Key>
  /** Serves one key. */
  run(ctx: SyncContext): Promise<Outcome | undefined>
}

/** The course of a syncer or a fake syncer. */
export function courseOf(reconciler: Reconciler, ctx: RegisterContext): Course {
  if (reconciler instanceof Syncer) {
    return {
      knownKeys: () => knownKeys(reconciler, ctx),
      rungKeys$: (refusals) => rungKeys$(reconciler, { ctx, refusals }),
      run: (syncCtx) => reconcile(reconciler, syncCtx),
    }
  }
  if (reconciler instanceof FakeSyncer) return fakeCourse(reconciler, ctx)
  throw new TypeError(`${reconciler.name} is neither a Syncer nor a FakeSyncer; extend one of them`)
}

function fakeCourse<T extends KubeObject>(syncer: FakeSyncer<T>, ctx: RegisterContext): Course {
  return {
    knownKeys: () => ctx.virtual.store(syncer.resource).list().map(keyOf),
    rungKeys$: () => ctx.virtual.changes$(syncer.resource).pipe(map(({ key }) => key)),
    run: (syncCtx) => reconcileFake(syncer, syncCtx),
  }
}

/** Asks for the stores a syncer reads, so that they are filled before its first run. */
export function askForStores(reconciler: Reconciler, ctx: RegisterContext): void {
  ctx.virtual.store(reconciler.resource)
  if (!(reconciler instanceof Syncer)) return
  for (const scope of hostScopes(reconciler)) ctx.host.store(reconciler.resource, scope)
}

/** Adds the indices that the SDK itself looks into, once, before the first run. */
export function indexStores(reconciler: Reconciler, ctx: RegisterContext): void {
  if (reconciler instanceof Syncer) indexImports(reconciler, ctx)
}

/** The same with the stores that `modifyController` asks for, which it does only at its time. */
export function askForAll(reconciler: Reconciler, ctx: RegisterContext): void {
  askForStores(reconciler, ctx)
  reconciler.modifyController?.(new ExtraWatches(ctx, reconciler.name), ctx)
}
