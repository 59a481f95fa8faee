import type { ResourceRequest } from '../context.js'
import { servedEntry } from '../served-resource.js'
import { notFound } from '../status.js'
import type { Entry } from '../store/entry.js'
import { tooLargeRevision } from './list.js'
import { findEntry } from './update.js'

/** Reads one object, always as it is now. Throws 504 for a resourceVersion that the server has not seen yet. */
export function get(request: ResourceRequest): Entry {
  const asked = Number(request.query.get('resourceVersion') ?? '0')
  if (asked > request.server.store.revision) throw tooLargeRevision(asked, request.server.store.revision)
  const entry = findEntry(request)
  if (entry === undefined) throw notFound(request.resource, request.target.name)
  return servedEntry(entry, request.resource)
}
