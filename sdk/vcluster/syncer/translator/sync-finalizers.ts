import difference from 'lodash/difference.js'
import { jsonEqual } from '../../../engine/kube/json.js'
import { keyOf } from '../../../engine/kube/key.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { SyncContext } from '../../context/sync-context.js'
import { hostFinalizersAnnotation } from '../../naming/ownership-keys.js'
import { CopyContest } from '../contest/copy-contest.js'
import { asPlainPair, type Pair, type Syncer } from '../syncer.js'

/** The finalizers of the API server itself: they determine how to delete dependents, and no program waits for them. */
const serverFinalizers = ['foregroundDeletion', 'orphan']

/**
 * Copies the finalizers of a copy to its original, so that the original exists as long as a controller of the host has
 * work to do on the copy. {@link finishDeletion} removes the finalizers that came from the copy; the original's own
 * finalizers stay. If another program removes them each time, they are added more and more rarely.
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
  const hostFinalizers = (host.metadata.finalizers ?? []).filter((name) => !serverFinalizers.includes(name))
  const ownNames = ownFinalizers(virtual)
  const virtualNames = new Set(virtual.metadata.finalizers)
  // The API server accepts no new finalizer on an object that is being deleted.
  const allowed = virtual.metadata.deletionTimestamp
    ? hostFinalizers.filter((name) => virtualNames.has(name))
    : hostFinalizers
  const fromHost = difference(allowed, ownNames)
  const body = changeOf({ virtual, own: ownNames, fromHost })
  if (!body) return
  const contest = CopyContest.of(syncer as Pick<Syncer, 'resource'>, ctx)
  const fields = ['metadata.finalizers']
  const change = { virtual, host, part: 'finalizers', value: hostFinalizers, fields } as const
  if (contest.pausesUp(ctx, change)) return
  await writeFinalizers(syncer, ctx, virtual, body)
  contest.recordUp(ctx, change)
}

/** Removes the finalizers that {@link syncFinalizers} has added. */
export async function removeHostFinalizers<T extends KubeObject>(
  syncer: Pick<Syncer<T>, 'resource'>,
  ctx: SyncContext,
  virtual: T,
): Promise<void> {
  const body = changeOf({ virtual, own: ownFinalizers(virtual), fromHost: [] })
  if (body) await writeFinalizers(syncer, ctx, virtual, body)
}

/** The finalizers of a virtual object that did not come from its copy. Tenants can write many of both. */
function ownFinalizers({ metadata }: KubeObject): string[] {
  const fromHost = new Set(metadata.annotations?.[hostFinalizersAnnotation]?.split('\n'))
  return (metadata.finalizers ?? []).filter((name) => !fromHost.has(name))
}

/** The finalizers that a virtual object should have: its own ones, and those of its copy. */
interface Finalizers<T> {
  virtual: T
  own: readonly string[]
  fromHost: readonly string[]
}

/** The patch with the finalizers, and an annotation with those of the copy; undefined if nothing differs. */
function changeOf<T extends KubeObject>({ virtual, own, fromHost }: Finalizers<T>): object | undefined {
  const { finalizers: before = [], annotations, resourceVersion } = virtual.metadata
  const finalizers = [...own, ...fromHost]
  const fromHostLines = fromHost.length > 0 ? fromHost.join('\n') : undefined
  if (
    jsonEqual([...before].sort(), [...finalizers].sort()) &&
    annotations?.[hostFinalizersAnnotation] === fromHostLines
  )
    return undefined
  const changed = { [hostFinalizersAnnotation]: fromHostLines ?? null }
  return { metadata: { finalizers, annotations: changed, resourceVersion } }
}

async function writeFinalizers<T extends KubeObject>(
  { resource }: Pick<Syncer<T>, 'resource'>,
  ctx: SyncContext,
  virtual: T,
  body: object,
): Promise<void> {
  await ctx.virtual.client.patch(resource, keyOf(virtual), { type: 'merge', body, signal: ctx.signal })
}
