import { ApiError, PluginError } from '../kube/error.js'
import { formatKey, type Key } from '../kube/key.js'
import { formatResource, type Resource, resourcePath } from '../kube/resource.js'
import type { ListOptions } from './client.js'
import { formatQuery } from './query.js'

/**
 * The path of one object or of one of its subresources.
 *
 * @throws `PluginError` with code `INCOMPLETE_KEY` if the name, or the namespace it needs, is missing; `ApiError`
 *   `NotFound` for `.` and `..`
 */
export function objectPath(resource: Resource, key: Key, subresource?: string): string {
  if (key.name === '') throw incompleteKeyError(resource, key, 'metadata.name')
  requireNamespace(resource, key)
  if (isDots(key.name) || isDots(key.namespace)) throw impossibleKeyError(resource, key)
  return resourcePath(resource, { ...key, ...(subresource && { subresource }) })
}

/** The path of a create: the collection, or an object's subresource. Throws the errors of {@link objectPath}. */
export function createPath(resource: Resource, key: Key, subresource?: string): string {
  if (subresource) return objectPath(resource, key, subresource)
  requireNamespace(resource, key)
  if (isDots(key.namespace)) throw impossibleKeyError(resource, key)
  return resourcePath(resource, { namespace: key.namespace })
}

/** Whether a name would lead to a parent path: a request to delete `..` would delete a namespace. */
const isDots = (name: string) => name === '.' || name === '..'

function impossibleKeyError(resource: Resource, key: Key): ApiError {
  const message = `${formatResource(resource)} "${formatKey(key)}" not found: no object can have this name`
  return new ApiError({ kind: 'Status', status: 'Failure', code: 404, reason: 'NotFound', message })
}

function requireNamespace(resource: Resource, key: Key): void {
  if (resource.namespaced && key.namespace === '')
    throw incompleteKeyError(resource, key, 'metadata.namespace')
}

function incompleteKeyError(resource: Resource, key: Key, missing: string): PluginError {
  return new PluginError(
    'INCOMPLETE_KEY',
    `${formatResource(resource)} "${formatKey(key)}" has no ${missing}; set it before calling the API server.`,
  )
}

/** Path and query of a list. */
export function listPath(resource: Resource, options: ListOptions): string {
  const query = formatQuery({
    labelSelector: options.labelSelector,
    fieldSelector: options.fieldSelector,
    limit: options.limit,
    continue: options.continue,
    resourceVersion: options.resourceVersion,
    resourceVersionMatch: options.resourceVersionMatch,
  })
  return resourcePath(resource, { namespace: options.namespace ?? '' }) + query
}

/** A call in words, for messages: `PUT configmaps default/greeting`. */
export function describeCall(method: string, resource: Resource, key?: Partial<Key>): string {
  const where = key?.name ? formatKey({ namespace: key.namespace ?? '', name: key.name }) : key?.namespace
  return [method, formatResource(resource), where].filter(Boolean).join(' ')
}
