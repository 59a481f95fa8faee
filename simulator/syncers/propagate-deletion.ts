import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { ObjectPair } from './bidirectional-update.js'
import type { HookedCluster } from './hooked-cluster.js'
import type { OfBoth } from './sync-cluster.js'

/**
 * Deletes an object if its counterpart is being deleted, with the same grace period. Returns whether one of
 * them is being deleted.
 */
export async function propagateDeletion<T extends KubeObject>(
  clusters: OfBoth<HookedCluster<T>>,
  { virtual, host }: ObjectPair<T>,
): Promise<boolean> {
  const isVirtualDeleted = virtual.metadata.deletionTimestamp !== undefined
  const isHostDeleted = host.metadata.deletionTimestamp !== undefined
  if (isVirtualDeleted && !isHostDeleted) await clusters.host.delete(host, gracePeriodOf(virtual))
  if (isHostDeleted && !isVirtualDeleted) await clusters.virtual.delete(virtual, gracePeriodOf(host))
  return isVirtualDeleted || isHostDeleted
}

function gracePeriodOf({ metadata: { deletionGracePeriodSeconds } }: KubeObject): {
  gracePeriodSeconds?: number
} {
  return deletionGracePeriodSeconds === undefined ? {} : { gracePeriodSeconds: deletionGracePeriodSeconds }
}
