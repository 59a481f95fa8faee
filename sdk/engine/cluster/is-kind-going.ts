import { customResourceDefinitions } from '../kube/builtin.js'
import { isForbidden, isNotFound } from '../kube/error.js'
import { formatResource, type Resource } from '../kube/resource.js'
import type { Logger } from '../observe/logger.js'
import type { Cluster } from './cluster.js'
import { definitionName, isCustom } from './definition.js'

/** How long a key waits whose kind is being removed, in milliseconds. It runs at once when the kind is back. */
export const goneKindRetryMs = 60_000

/** Options of {@link isKindGoing}. */
export interface IsKindGoingOptions {
  cluster: Pick<Cluster, 'name' | 'client'>
  logger: Logger
  signal: AbortSignal
}

/**
 * Whether a cluster is losing a custom kind: its definition is being deleted, or is gone. The API server then deletes
 * all objects of the kind, which says nothing about each of them. Asks the API server, because a cache may be behind;
 * the answer is `false` if definitions may not be read.
 */
export async function isKindGoing(
  resource: Resource,
  { cluster, logger, signal }: IsKindGoingOptions,
): Promise<boolean> {
  if (!isCustom(resource)) return false
  const name = definitionName(resource)
  try {
    const { metadata } = await cluster.client.get(
      customResourceDefinitions,
      { namespace: '', name },
      { signal },
    )
    if (!metadata.deletionTimestamp) return false
  } catch (error) {
    if (isForbidden(error)) return false
    if (!isNotFound(error)) throw error
  }
  logger.warn(
    { resource: formatResource(resource), cluster: cluster.name },
    'the kind is being removed from one cluster; the objects that stand for its objects in the other are kept',
  )
  return true
}
