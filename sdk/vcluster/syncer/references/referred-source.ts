import { isNotFound } from '../../../engine/kube/error.js'
import type { Key } from '../../../engine/kube/key.js'
import type { Resource } from '../../../engine/kube/resource.js'
import type { SyncContext } from '../../context/sync-context.js'
import type { HostNaming } from '../../naming/naming.js'
import { provenSource } from '../../ownership/ownership.js'

/** The virtual object of which a referred host object is provably the copy. Asks the host's API server. */
export async function referredSource(
  ctx: SyncContext,
  resource: Resource,
  hostKey: Key,
  naming: HostNaming,
): Promise<Key | undefined> {
  try {
    const host = await ctx.host.client.get(resource, hostKey, { signal: ctx.signal })
    return provenSource(host, { resource, marker: naming.marker, hostKey: (key) => naming.hostKey(key) })
  } catch (error) {
    // An answer of a proxy in place of the API server names no object.
    if (isNotFound(error) && error.status.details?.name === hostKey.name) return undefined
    throw error
  }
}
