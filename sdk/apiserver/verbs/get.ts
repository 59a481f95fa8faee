import { type ResourceRequest, storageKey } from '../context.js'
import { servedEntry } from '../served-resource.js'
import { notFound } from '../status.js'
import type { Entry } from '../store/entry.js'
import { tooLargeRevision } from './list.js'
import { checkRevision } from './list-options.js'

/** Reads one object, always as it is now. Throws 504 for a resourceVersion that the server has not seen yet. */
export function get(request: ResourceRequest): Entry {
  checkRevision(request.query.get('resourceVersion') ?? '', 'get')
  const asked = Number(request.query.get('resourceVersion') ?? '0')
  const { reads, resource, target } = request
  if (asked > reads.revision) throw tooLargeRevision(asked, reads.revision)
  const entry = reads.collection(resource.storage).get(storageKey(target.namespace, target.name))
  if (entry === undefined) throw notFound(resource, target.name)
  return servedEntry(entry, resource)
}
