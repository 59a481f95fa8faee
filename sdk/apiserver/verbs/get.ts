import type { ResourceRequest } from '../context.js'
import { notFound } from '../status.js'
import type { Entry } from '../store/entry.js'
import { findEntry } from './update.js'

/** Reads one object. */
export function get(request: ResourceRequest): Entry {
  const entry = findEntry(request)
  if (entry === undefined) throw notFound(request.resource, request.target.name)
  return entry
}
