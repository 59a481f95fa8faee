import { notFound } from '../request/status.js'
import { type ResourceRequest, storageKey } from '../server/context.js'
import type { Entry } from '../store/entry.js'
import { tooLargeRevisionError } from './list.js'
import { checkRevision } from './list-options.js'

/**
 * Returns the present state of one object in its stored version. Throws 504 for a resourceVersion that the server
 * has not reached yet.
 */
export function get(request: ResourceRequest): Entry {
  const { reads, resource, target, query } = request
  const { isCached = true } = resource.rules.read ?? {}
  checkRevision(query.get('resourceVersion') ?? '', isCached ? 'get' : 'list')
  const requested = Number(query.get('resourceVersion') ?? '0')
  if (requested > reads.revision) throw tooLargeRevisionError(requested, reads.revision, isCached)
  const entry = reads.collection(resource.storage).get(storageKey(target.namespace, target.name))
  if (entry === undefined) throw notFound(resource, target.name)
  return entry
}
