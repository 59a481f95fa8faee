import type { Observable } from 'rxjs'
import { map } from 'rxjs'
import type { Cluster } from '../../cluster/cluster.js'
import { bindContext } from '../../context/bind-context.js'
import type { RegisterContext } from '../../context/register-context.js'
import type { SyncContext } from '../../context/sync-context.js'
import type { Controller } from '../../controller/controller.js'
import type { NameConflicts } from '../../controller/name-conflicts.js'
import type { ReconcileResult } from '../../controller/reconcile-result.js'
import { RequiredCaches } from '../../controller/required-caches.js'
import type { Run } from '../../controller/run.js'
import { formatKey, type Key, keyOf } from '../../kube/key.js'
import type { KubeObject } from '../../kube/object.js'
import type { EventRecorder } from '../../observe/event-recorder.js'
import { lazyLogger } from '../../observe/lazy-logger.js'
import { hostScopes } from '../../ownership/host-objects.js'
import { FakeSyncer } from '../fake-syncer.js'
import type { Reconciler } from '../reconciler.js'
import { Syncer } from '../syncer.js'
import { ExtraWatches } from './extra-watches.js'
import { reconcile } from './reconcile.js'
import { reconcileFake } from './reconcile-fake.js'
import { knownKeys, triggers$ } from './triggers.js'

/** Options of {@link syncerController}. */
export interface SyncerControllerOptions {
  ctx: RegisterContext
  /** Writes Events about virtual objects. */
  events: EventRecorder
}

/** The behaviour in which syncers and fake syncers differ. */
interface Behaviour {
  /** The caches of its own kind. */
  caches(): readonly ReturnType<Cluster['store']>[]
  knownKeys(): Iterable<Key>
  triggers$(conflicts: NameConflicts): Observable<Key>
  reconcile(ctx: SyncContext): Promise<ReconcileResult | undefined>
}

/** A syncer or a fake syncer as a controller over both clusters. Subscribes to what its `modifyController` adds. */
export function syncerController(syncer: Reconciler, { ctx, events }: SyncerControllerOptions): Controller {
  const behaviour = behaviourOf(syncer, ctx)
  const extra = new ExtraWatches(ctx, syncer.name)
  syncer.modifyController?.(extra, ctx)
  return {
    name: syncer.name,
    resource: syncer.resource,
    runLimitMs: syncer.runLimitMs,
    caches: new RequiredCaches(() => [...behaviour.caches(), ...extra.stores]),
    triggers$: (conflicts) => extra.with(behaviour.triggers$(conflicts)),
    knownKeys: () => behaviour.knownKeys(),
    eventTarget: (key) => ctx.virtual.store(syncer.resource).get(key),
    reconcile: (run) =>
      betweenStartAndEnd(syncer, syncContext(syncer, run, { ctx, events }), behaviour.reconcile),
  }
}

function behaviourOf(reconciler: Reconciler, ctx: RegisterContext): Behaviour {
  if (reconciler instanceof Syncer) return syncerBehaviour(reconciler, ctx)
  if (reconciler instanceof FakeSyncer) return fakeBehaviour(reconciler, ctx)
  throw new TypeError(`${reconciler.name} is neither a Syncer nor a FakeSyncer; extend one of them`)
}

function syncerBehaviour<T extends KubeObject>(syncer: Syncer<T>, ctx: RegisterContext): Behaviour {
  const { resource } = syncer
  const stores = [
    ctx.virtual.store(resource),
    ...hostScopes(syncer).map((scope) => ctx.host.store(resource, scope)),
  ]
  return {
    caches: () => stores as unknown as ReturnType<Behaviour['caches']>,
    knownKeys: () => knownKeys(syncer, ctx),
    triggers$: (conflicts) => triggers$(syncer, { ctx, conflicts }),
    reconcile: (syncCtx) => reconcile(syncer, syncCtx),
  }
}

function fakeBehaviour<T extends KubeObject>(syncer: FakeSyncer<T>, ctx: RegisterContext): Behaviour {
  const store = ctx.virtual.store(syncer.resource)
  return {
    caches: () => [store] as unknown as ReturnType<Behaviour['caches']>,
    knownKeys: () => store.list().map(keyOf),
    triggers$: () => ctx.virtual.changes$(syncer.resource).pipe(map(({ key }) => key)),
    reconcile: (syncCtx) => reconcileFake(syncer, syncCtx),
  }
}

/**
 * The context of one run: both clusters with clients that are bound to it, and a logger that names the key.
 */
function syncContext(
  { name }: Reconciler,
  { key, signal, deadline }: Run,
  { ctx, events }: SyncerControllerOptions,
): SyncContext {
  const logger = lazyLogger(() => ctx.logger.child({ controller: name, key: formatKey(key) }))
  const writer = { controller: name, key }
  const bound = bindContext(ctx, { signal, writer, ...(deadline && { deadline }) })
  return { ...bound, logger, events, key, signal }
}

/** Runs `work` between the syncer's `reconcileStart`, which may skip it, and its `reconcileEnd`. */
async function betweenStartAndEnd(
  syncer: Reconciler,
  ctx: SyncContext,
  work: (ctx: SyncContext) => Promise<ReconcileResult | undefined>,
): Promise<ReconcileResult | undefined> {
  try {
    const skip = await syncer.reconcileStart?.(ctx)
    return skip ? undefined : await work(ctx)
  } finally {
    await endRun(syncer, ctx)
  }
}

/** Throwing from a `finally` would hide how the run itself ended. */
async function endRun(syncer: Reconciler, ctx: SyncContext): Promise<void> {
  try {
    await syncer.reconcileEnd?.(ctx)
  } catch (error) {
    ctx.logger.error({ error }, 'reconcileEnd failed')
  }
}
