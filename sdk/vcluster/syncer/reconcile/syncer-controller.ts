import type { Controller } from '../../../engine/controller/controller.js'
import type { ReconcileResult } from '../../../engine/controller/reconcile-result.js'
import { RequiredCaches } from '../../../engine/controller/required-caches.js'
import type { Run } from '../../../engine/controller/run.js'
import { formatKey } from '../../../engine/kube/key.js'
import type { EventRecorder } from '../../../engine/observe/event-recorder.js'
import { lazyLogger } from '../../../engine/observe/lazy-logger.js'
import { abortSignalOf } from '../../../engine/time/cancellation.js'
import { bindContext } from '../../context/bind-context.js'
import type { RegisterContext } from '../../context/register-context.js'
import type { SyncContext } from '../../context/sync-context.js'
import { FakeSyncer } from '../fake-syncer.js'
import type { Reconciler } from '../reconciler.js'
import { Syncer } from '../syncer.js'
import type { Behaviour } from './behaviour.js'
import { ExtraWatches } from './extra-watches.js'
import { fakeBehaviour } from './fake-behaviour.js'
import { syncerBehaviour } from './syncer-behaviour.js'

/** Options of {@link syncerController}. */
export interface SyncerControllerOptions {
  ctx: RegisterContext
  /** Writes Events about virtual objects. */
  events: EventRecorder
  /** All registered syncers of the same kind and direction, in the order of registration; default only this syncer. */
  sameKind?: readonly Syncer[]
}

/** A syncer or a fake syncer as a controller over both clusters. Subscribes to what its `modifyController` adds. */
export function syncerController(syncer: Reconciler, options: SyncerControllerOptions): Controller {
  const { ctx } = options
  const behaviour = behaviourOf(syncer, options)
  const extra = new ExtraWatches(ctx, syncer.name)
  syncer.modifyController?.(extra, ctx)
  return {
    name: syncer.name,
    resource: syncer.resource,
    runLimitMs: syncer.runLimitMs,
    caches: new RequiredCaches(() => [...behaviour.caches, ...extra.stores]),
    triggers$: (conflicts) => extra.mergedWith(behaviour.triggers$(conflicts)),
    knownKeys: () => behaviour.knownKeys(),
    eventTarget: (key) => ctx.virtual.store(syncer.resource).get(key),
    reconcile: (run) => {
      const context = syncContext(syncer, run, options)
      // Most syncers have neither method; waiting for both anyway would take a tenth of a run.
      return syncer.reconcileStart || syncer.reconcileEnd
        ? betweenStartAndEnd(syncer, context, behaviour.reconcile)
        : behaviour.reconcile(context)
    },
  }
}

function behaviourOf(reconciler: Reconciler, { ctx, sameKind = [] }: SyncerControllerOptions): Behaviour {
  if (reconciler instanceof Syncer) return syncerBehaviour(reconciler, ctx, sameKind)
  if (reconciler instanceof FakeSyncer) return fakeBehaviour(reconciler, ctx)
  throw new TypeError(`${reconciler.name} is neither a Syncer nor a FakeSyncer; extend one of them`)
}

/**
 * The context of one run: both clusters with clients that are bound to it, and a logger that names the key.
 */
function syncContext(
  { name }: Reconciler,
  { key, signal, deadline }: Run,
  { ctx, events }: SyncerControllerOptions,
): SyncContext {
  const logger = lazyLogger(() => ctx.logger.child({ controller: name, key: formatKey(key) }), ctx.logger)
  const writer = { controller: name, key }
  const bound = bindContext(ctx, { signal, writer, ...(deadline && { deadline }) })
  return {
    ...bound,
    logger,
    events,
    key,
    get signal() {
      return abortSignalOf(signal)
    },
  }
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

/** Calls `reconcileEnd` and logs its errors, because throwing from a `finally` would hide how the run itself ended. */
async function endRun(syncer: Reconciler, ctx: SyncContext): Promise<void> {
  try {
    await syncer.reconcileEnd?.(ctx)
  } catch (error) {
    ctx.logger.error({ error }, 'reconcileEnd failed')
  }
}
