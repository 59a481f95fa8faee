import type { SyncContext } from '../context/sync-context.js'
import { jsonEqual } from '../kube/json.js'
import type { KubeObject } from '../kube/object.js'
import type { Pair, Syncer } from '../syncer/syncer.js'

/**
 * Writes the status that the host's controllers gave the copy to the original, by its status subresource. A copy
 * that has none yet changes nothing.
 */
export async function syncUpStatus<T extends KubeObject>(
  { resource }: Pick<Syncer<T>, 'resource'>,
  ctx: SyncContext,
  { host, virtual }: Pair<T>,
): Promise<undefined> {
  const [status, current] = [statusOf(host), statusOf(virtual)]
  if (status === undefined || jsonEqual(status, current)) return undefined
  await ctx.virtual.client.update<T>(
    resource,
    { ...virtual, status },
    { subresource: 'status', signal: ctx.signal },
  )
  return undefined
}

const statusOf = (object: KubeObject): unknown => ('status' in object ? object.status : undefined)
