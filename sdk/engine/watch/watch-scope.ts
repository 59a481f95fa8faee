import type { KubeObject } from '../kube/object.js'
import { apiVersionOf, type Resource, resourcePath } from '../kube/resource.js'
import type { EventHead } from './event-head.js'

/** Selects the objects that are listed and watched. */
export interface WatchScope<T extends KubeObject = KubeObject> {
  resource: Resource<T>
  /** Only this namespace; default the whole cluster. */
  namespace?: string
  /** Label selector in the API's text form; default everything. */
  labelSelector?: string
  /** Field selector in the API's text form; default everything. */
  fieldSelector?: string
  /** Asks for the metadata of the objects alone; default false. */
  metadataOnly?: boolean
}

/** The type of objects that consist of their metadata. */
const partialType = { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata' }

/** The resource whose lists answer a request for these objects. */
export function listResourceOf({ resource, metadataOnly }: WatchScope): Resource {
  return metadataOnly
    ? { ...resource, group: 'meta.k8s.io', version: 'v1', kind: partialType.kind }
    : resource
}

/**
 * The media type of a list or watch of these objects.
 *
 * See https://kubernetes.io/docs/reference/using-api/api-concepts/#resource-representations
 */
export function acceptHeader(
  { metadataOnly }: Pick<WatchScope, 'metadataOnly'>,
  form: 'list' | 'watch',
): string {
  if (!metadataOnly) return 'application/json'
  return `application/json;as=${partialType.kind}${form === 'list' ? 'List' : ''};g=meta.k8s.io;v=v1`
}

/** Whether a type is the requested one: the type of the kind, or with `metadataOnly` also that of partial metadata. */
function isTypeInScope(
  { resource, metadataOnly }: WatchScope,
  type: { apiVersion: string; kind: string },
): boolean {
  const isPartial = type.apiVersion === partialType.apiVersion && type.kind === partialType.kind
  if (metadataOnly && isPartial) return true
  return type.apiVersion === apiVersionOf(resource) && type.kind === resource.kind
}

/** With `metadataOnly`, gives an object the type of its kind, and drops everything except its metadata. */
export function conformToScope<T extends KubeObject>(
  { resource, metadataOnly }: WatchScope<T>,
  object: T,
): T {
  if (!metadataOnly) return object
  return { apiVersion: apiVersionOf(resource), kind: resource.kind, metadata: object.metadata } as T
}

/** The path and query of a list or watch of these objects. */
export function scopePath(scope: WatchScope, parameters: Record<string, string | number | boolean>): string {
  const { resource, namespace = '', labelSelector, fieldSelector } = scope
  const query = new URLSearchParams()
  if (labelSelector) query.set('labelSelector', labelSelector)
  if (fieldSelector) query.set('fieldSelector', fieldSelector)
  for (const [name, value] of Object.entries(parameters)) query.set(name, String(value))
  return `${resourcePath(resource, { namespace })}?${query}`
}

/** Whether an object is of the requested kind and namespace, which a server must not change. */
export function isInScope(scope: WatchScope, object: unknown): object is KubeObject {
  const { resource, namespace } = scope
  if (typeof object !== 'object' || object === null) return false
  const { apiVersion = apiVersionOf(resource), kind = '', metadata } = object as Partial<KubeObject>
  if (!isTypeInScope(scope, { apiVersion, kind })) return false
  if (typeof metadata !== 'object' || metadata === null) return false
  const isNamed = typeof metadata.name === 'string' && metadata.name !== ''
  return isNamed && (!resource.namespaced || !namespace || metadata.namespace === namespace)
}

/** The same as {@link isInScope} for an object of which only the head is known. */
export function isHeadInScope(scope: WatchScope, head: EventHead): boolean {
  const { resource, namespace } = scope
  if (!isTypeInScope(scope, head)) return false
  return head.name !== '' && (!resource.namespaced || !namespace || head.namespace === namespace)
}
