import { jsonEqual } from '../../../engine/kube/json.js'
import { keyOf } from '../../../engine/kube/key.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { SyncContext } from '../../context/sync-context.js'
import { hostFinalizersAnnotation } from '../../naming/ownership-keys.js'
import { asPlainPair, type Pair, type Syncer } from '../syncer.js'

/** The finalizers of the API server itself: they determine how to delete dependents, and no program waits for them. */
const serverFinalizers = ['foregroundDeletion', 'orphan']

/**
 * Copies the finalizers of a copy to its original, so that the original exists as long as a controller of the host has
 * work to do on the copy. {@link finishDeletion} removes the finalizers that came from the copy; the original's own
 * finalizers stay.
 *
 * @example
 * ```ts
 * class Claims extends NamespacedTranslator<PersistentVolumeClaim> {
 *   override async syncDown(ctx: SyncContext, virtual: DeepReadonly<PersistentVolumeClaim>) {
 *     if (await finishDeletion(this, ctx, virtual)) return undefined
 *     return this.syncDownCreate(ctx, virtual, this.translateMetadata(virtual))
 *   }
 *   override async sync(ctx: SyncContext, pair: Pair<PersistentVolumeClaim>) {
 *     await syncFinalizers(this, ctx, pair)
 *     await syncDeletion(this, ctx, pair)
 *     return undefined
 *   }
 * }
 * ```
 */
export async function syncFinalizers<T extends KubeObject>(
  syncer: Pick<Syncer<T>, 'resource'>,
  ctx: SyncContext,
  pair: Pair<T>,
): Promise<void> {
  const { host, virtual } = asPlainPair(pair)
  const theirs = (host.metadata.finalizers ?? []).filter((name) => !serverFinalizers.includes(name))
  const own = ownFinalizers(virtual)
  const shown = virtual.metadata.finalizers ?? []
  // The API server accepts no new finalizer on an object that is being deleted.
  const allowed = virtual.metadata.deletionTimestamp ? theirs.filter((name) => shown.includes(name)) : theirs
  await write(syncer, ctx, { virtual, own, came: allowed.filter((name) => !own.includes(name)) })
}

/** Removes the finalizers that {@link syncFinalizers} has added. */
export async function finalizersWithout<T extends KubeObject>(
  syncer: Pick<Syncer<T>, 'resource'>,
  ctx: SyncContext,
  virtual: T,
): Promise<void> {
  await write(syncer, ctx, { virtual, own: ownFinalizers(virtual), came: [] })
}

function ownFinalizers({ metadata }: KubeObject): string[] {
  const came = metadata.annotations?.[hostFinalizersAnnotation]?.split('\n') ?? []
  return (metadata.finalizers ?? []).filter((name) => !came.includes(name))
}

interface Finalizers<T> {
  virtual: T
  own: readonly string[]
  came: readonly string[]
}

async function write<T extends KubeObject>(
  { resource }: Pick<Syncer<T>, 'resource'>,
  ctx: SyncContext,
  { virtual, own, came }: Finalizers<T>,
): Promise<void> {
  const { finalizers: before = [], annotations, resourceVersion } = virtual.metadata
  const finalizers = [...own, ...came]
  const cameLines = came.length > 0 ? came.join('\n') : undefined
  if (
    jsonEqual([...before].sort(), [...finalizers].sort()) &&
    annotations?.[hostFinalizersAnnotation] === cameLines
  )
    return
  const metadata = {
    finalizers,
    annotations: { [hostFinalizersAnnotation]: cameLines ?? null },
    resourceVersion,
  }
  await ctx.virtual.client.patch(resource, keyOf(virtual), {
    type: 'merge',
    body: { metadata },
    signal: ctx.signal,
  })
}
