import type { Client } from '../client/client.js'
import { services } from '../kube/builtin.js'
import { isNotFound } from '../kube/error.js'
import type { OwnerReference } from '../kube/object.js'
import type { Logger } from '../observe/logger.js'

/** Options of {@link findOwner}. */
export interface FindOwnerOptions {
  client: Client
  namespace: string
  /** The Service's name; undefined means that copies have no owner. */
  service: string | undefined
  logger: Logger
  signal: AbortSignal
}

/**
 * Finds the vcluster's Service, so that the copies go when the vcluster is removed. Without that Service
 * there is no owner: a reference that dangles would let the garbage collector delete the copies.
 */
export async function findOwner({
  client,
  namespace,
  service,
  logger,
  signal,
}: FindOwnerOptions): Promise<OwnerReference | undefined> {
  if (service === undefined) return undefined
  try {
    const found = await client.get(services, { namespace, name: service }, { signal })
    return { apiVersion: 'v1', kind: 'Service', name: service, uid: found.metadata.uid ?? '' }
  } catch (error) {
    if (!isNotFound(error)) throw error
    logger.warn(
      { service: `${namespace}/${service}` },
      'the vcluster has no Service of its name here; copies get no owner',
    )
    return undefined
  }
}
