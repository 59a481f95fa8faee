import type { Side } from '../context/register-context.js'
import type { SyncContext } from '../context/sync-context.js'
import { customResourceDefinitions } from '../kube/builtin.js'
import { isForbidden, isNotFound } from '../kube/error.js'
import { formatResource, type Resource } from '../kube/resource.js'
import { definitionName, isCustom } from './definition.js'

/** How long an object waits whose counterpart went with its kind, in milliseconds; as soon as the kind is back it is looked at again. */
export const goneKindRetryMs = 60_000

/**
 * Whether a cluster is losing a custom kind: its definition is being deleted, or gone. The API server deletes the objects
 * of such a kind, which says nothing about each of them. It is asked, because only it knows by now; where definitions
 * may not be read the answer is no.
 */
export async function isKindGoing(ctx: SyncContext, side: Side, resource: Resource): Promise<boolean> {
  if (!isCustom(resource)) return false
  const name = definitionName(resource)
  try {
    const key = { namespace: '', name }
    const { metadata } = await ctx[side].client.get(customResourceDefinitions, key, { signal: ctx.signal })
    if (!metadata.deletionTimestamp) return false
  } catch (error) {
    if (isForbidden(error)) return false
    if (!isNotFound(error)) throw error
  }
  ctx.logger.warn(
    { resource: formatResource(resource), side },
    'the kind is going from one cluster; what stands for its objects in the other stays',
  )
  return true
}
