import { isKindGoing } from '../../cluster/is-kind-going.js'
import type { SyncContext } from '../../context/sync-context.js'
import { isNotFound } from '../../kube/error.js'
import { keyOf } from '../../kube/key.js'
import type { KubeObject } from '../../kube/object.js'
import { deleteCopy } from '../../ownership/write-copy.js'
import type { PlainPair, Syncer } from '../syncer.js'
import { finalizersWithout } from './sync-finalizers.js'

/**
 * Makes a deletion that one side has begun happen on the other, with the grace period it has there, and to the very
 * object that was seen. Answers whether either side is being deleted
 * (`pkg/controllers/resources/pods/syncer.go` @ vcluster v0.33.1). A deletion that is part of its kind's going stays on its
 * side; to tell that of the host takes the right to get CustomResourceDefinitions there.
 */
export async function syncDeletion<T extends KubeObject>(
  syncer: Syncer<T>,
  ctx: SyncContext,
  { host, virtual }: PlainPair<T>,
): Promise<boolean> {
  const [hostGoes, virtualGoes] = [host, virtual].map(
    ({ metadata }) => metadata.deletionTimestamp !== undefined,
  )
  if (virtualGoes && !hostGoes && !(await isKindGoing(syncer.resource, { ...ctx, cluster: ctx.virtual })))
    await deleteCopy(syncer, ctx, host, graceOf(virtual))
  const reachesVirtual = hostGoes && (!virtualGoes || goesSooner(host, virtual))
  if (reachesVirtual && !(await isKindGoing(syncer.resource, { ...ctx, cluster: ctx.host })))
    await deleteVirtual(syncer, ctx, virtual, graceOf(host))
  return Boolean(hostGoes || virtualGoes)
}

/**
 * The copy is gone: lets go of a virtual object that is being deleted, by taking off the finalizers that came from
 * the copy, and at once. Answers whether it is being deleted.
 */
export async function finishDeletion<T extends KubeObject>(
  syncer: Syncer<T>,
  ctx: SyncContext,
  virtual: T,
): Promise<boolean> {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = virtual.metadata
  if (!deletionTimestamp) return false
  await finalizersWithout(syncer, ctx, virtual)
  if (deletionGracePeriodSeconds > 0) await deleteVirtual(syncer, ctx, virtual, { gracePeriodSeconds: 0 })
  return true
}

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
  }
}

/** A grace period may only be shortened. */
function goesSooner(host: KubeObject, virtual: KubeObject): boolean {
  const [its, ours] = [host, virtual].map(({ metadata }) => metadata.deletionGracePeriodSeconds)
  return its !== undefined && ours !== undefined && its < ours
}

function graceOf({ metadata }: KubeObject): { gracePeriodSeconds?: number } {
  const { deletionGracePeriodSeconds: seconds } = metadata
  return seconds === undefined ? {} : { gracePeriodSeconds: seconds }
}
