import { isKindGoing } from '../../../engine/cluster/is-kind-going.js'
import { asItsType, type DeepReadonly } from '../../../engine/kube/deep-readonly.js'
import { isNotFound } from '../../../engine/kube/error.js'
import { keyOf } from '../../../engine/kube/key.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { SyncContext } from '../../context/sync-context.js'
import { confirmGone } from '../../ownership/still-stored-error.js'
import { deleteCopy } from '../../ownership/write-copy.js'
import { asPlainPair, type Pair, type Syncer } from '../syncer.js'
import { removeHostFinalizers } from './sync-finalizers.js'

/**
 * Makes a deletion that one side has begun happen on the other, with its grace period, and to the very object that was
 * seen (`pkg/controllers/resources/pods/syncer.go` @ vcluster v0.33.1). Returns whether either side is being deleted;
 * then there is usually nothing more to do. Objects that are deleted together with their custom kind are deleted on
 * that side only; to detect this on the host, the syncer needs the right to get CustomResourceDefinitions there.
 *
 * @example
 * ```ts
 * class Claims extends NamespacedTranslator<PersistentVolumeClaim> {
 *   override async syncDown(ctx: SyncContext, virtual: DeepReadonly<PersistentVolumeClaim>) {
 *     if (await finishDeletion(this, ctx, virtual)) return undefined
 *     return this.syncDownCreate(ctx, virtual, this.translateMetadata(virtual))
 *   }
 *   override async sync(ctx: SyncContext, pair: Pair<PersistentVolumeClaim>) {
 *     if (await syncDeletion(this, ctx, pair)) return undefined
 *     return this.syncDownUpdate(ctx, pair.virtual, this.translateUpdate(pair.host, pair.virtual))
 *   }
 * }
 * ```
 */
export async function syncDeletion<T extends KubeObject>(
  syncer: Syncer<T>,
  ctx: SyncContext,
  pair: Pair<T>,
): Promise<boolean> {
  const { host, virtual } = asPlainPair(pair)
  const [isHostDeleting, isVirtualDeleting] = [host, virtual].map(
    ({ metadata }) => metadata.deletionTimestamp !== undefined,
  )
  if (
    isVirtualDeleting &&
    !isHostDeleting &&
    !(await isKindGoing(syncer.resource, { ...ctx, cluster: ctx.virtual }))
  )
    await deleteCopy(syncer, ctx, host, graceOf(virtual))
  const reachesVirtual = isHostDeleting && (!isVirtualDeleting || endsSooner(host, virtual))
  if (reachesVirtual && !(await isKindGoing(syncer.resource, { ...ctx, cluster: ctx.host })))
    await deleteVirtual(syncer, ctx, virtual, graceOf(host))
  return Boolean(isHostDeleting || isVirtualDeleting)
}

/**
 * Call it in `syncDown`, when the copy is gone. If the virtual object is being deleted, removes the finalizers that
 * came from the copy, and ends the grace period. Returns whether the virtual object is being deleted; then it must not
 * be copied again.
 *
 * @example
 * ```ts
 * class Claims extends NamespacedTranslator<PersistentVolumeClaim> {
 *   override async syncDown(ctx: SyncContext, virtual: DeepReadonly<PersistentVolumeClaim>) {
 *     if (await finishDeletion(this, ctx, virtual)) return undefined
 *     return this.syncDownCreate(ctx, virtual, this.translateMetadata(virtual))
 *   }
 *   override async sync(ctx: SyncContext, pair: Pair<PersistentVolumeClaim>) {
 *     await syncDeletion(this, ctx, pair)
 *     return undefined
 *   }
 * }
 * ```
 */
export async function finishDeletion<T extends KubeObject>(
  syncer: Syncer<T>,
  ctx: SyncContext,
  given: DeepReadonly<T>,
): Promise<boolean> {
  const virtual = asItsType<T>(given)
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = virtual.metadata
  if (!deletionTimestamp) return false
  await removeHostFinalizers(syncer, ctx, virtual)
  if (deletionGracePeriodSeconds > 0) await deleteVirtual(syncer, ctx, virtual, { gracePeriodSeconds: 0 })
  return true
}

/** Deletes exactly this virtual object, by its UID. */
async function deleteVirtual<T extends KubeObject>(
  syncer: Syncer<T>,
  ctx: SyncContext,
  virtual: T,
  grace: { gracePeriodSeconds?: number },
): Promise<void> {
  const { uid } = virtual.metadata
  try {
    const options = { signal: ctx.signal, ...(uid && { uid }), ...grace }
    await ctx.virtual.client.delete(syncer.resource, keyOf(virtual), options)
  } catch (error) {
    if (!isNotFound(error)) throw error
    confirmGone(virtual, ctx.virtual.store(syncer.resource).get(keyOf(virtual)))
  }
}

/** Whether the host object has the shorter grace period, because a grace period may only be shortened. */
function endsSooner(host: KubeObject, virtual: KubeObject): boolean {
  const [hostSeconds, virtualSeconds] = [host, virtual].map(
    ({ metadata }) => metadata.deletionGracePeriodSeconds,
  )
  return hostSeconds !== undefined && virtualSeconds !== undefined && hostSeconds < virtualSeconds
}

/** The option of a delete call that gives it the grace period of an object that is being deleted. */
function graceOf({ metadata }: KubeObject): { gracePeriodSeconds?: number } {
  const { deletionGracePeriodSeconds: seconds } = metadata
  return seconds === undefined ? {} : { gracePeriodSeconds: seconds }
}
