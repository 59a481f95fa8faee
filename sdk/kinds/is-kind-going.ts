import type { SyncContext } from '../context/sync-context.js'
import { customResourceDefinitions } from '../kube/builtin.js'
import { isForbidden, isNotFound } from '../kube/error.js'
import { formatResource, type Resource } from '../kube/resource.js'
import { definitionName, isCustom } from './definition.js'

/**
 * Whether the virtual cluster is losing a custom kind: its definition is being deleted, or gone. The API server deletes
 * the objects of such a kind, which says nothing about each of them. It is asked, because only it knows by now; where
 * definitions may not be read the answer is no.
 */
export async function isKindGoing(ctx: SyncContext, resource: Resource): Promise<boolean> {
  if (!isCustom(resource)) return false
  const name = definitionName(resource)
  try {
    const key = { namespace: '', name }
    const { metadata } = await ctx.virtual.client.get(customResourceDefinitions, key, { signal: ctx.signal })
    if (!metadata.deletionTimestamp) return false
  } catch (error) {
    if (isForbidden(error)) return false
    if (!isNotFound(error)) throw error
  }
  ctx.logger.warn(
    { resource: formatResource(resource) },
    'the kind is going from the virtual cluster; its copies stay',
  )
  return true
}
