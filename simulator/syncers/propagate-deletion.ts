import type { Side } from '../../sdk/context/register-context.js'
import type { KubeObject } from '../../sdk/kube/object.js'
import type { PlainPair as Pair } from '../../sdk/syncer/syncer.js'
import type { HookedCluster } from './hooked-cluster.js'

/** Deletes an object whose counterpart is being deleted, with the same grace; answers whether one of them is. */
export async function propagateDeletion<T extends KubeObject>(
  clusters: Readonly<Record<Side, HookedCluster<T>>>,
  { virtual, host }: Pair<T>,
): Promise<boolean> {
  const [virtualGoes, hostGoes] = [virtual, host].map(
    ({ metadata }) => metadata.deletionTimestamp !== undefined,
  )
  if (virtualGoes && !hostGoes) await clusters.host.delete(host, graceOf(virtual))
  if (hostGoes && !virtualGoes) await clusters.virtual.delete(virtual, graceOf(host))
  return virtualGoes === true || hostGoes === true
}

function graceOf({ metadata: { deletionGracePeriodSeconds } }: KubeObject): { gracePeriodSeconds?: number } {
  return deletionGracePeriodSeconds === undefined ? {} : { gracePeriodSeconds: deletionGracePeriodSeconds }
}
