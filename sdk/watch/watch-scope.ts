import type { KubeObject } from '../kube/object.js'
import { apiVersionOf, type Resource, resourcePath } from '../kube/resource.js'
import type { EventHead } from './event-head.js'

/** Which objects are listed and watched. */
export interface WatchScope<T extends KubeObject = KubeObject> {
  resource: Resource<T>
  /** Only this namespace; default the whole cluster. */
  namespace?: string
  /** Label selector in the API's text form; default everything. */
  labelSelector?: string
  /** Field selector in the API's text form; default everything. */
  fieldSelector?: string
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

/** Whether an object belongs to what was asked for: no server may slip in another kind or namespace. */
export function isInScope({ resource, namespace }: WatchScope, object: unknown): object is KubeObject {
  if (typeof object !== 'object' || object === null) return false
  const { apiVersion = apiVersionOf(resource), kind, metadata } = object as Partial<KubeObject>
  if (apiVersion !== apiVersionOf(resource) || kind !== resource.kind) return false
  if (typeof metadata !== 'object' || metadata === null) return false
  const isNamed = typeof metadata.name === 'string' && metadata.name !== ''
  return isNamed && (!resource.namespaced || !namespace || metadata.namespace === namespace)
}

/** The same for an object of which only the head is known. */
export function isHeadInScope({ resource, namespace }: WatchScope, head: EventHead): boolean {
  if (head.apiVersion !== apiVersionOf(resource) || head.kind !== resource.kind) return false
  return head.name !== '' && (!resource.namespaced || !namespace || head.namespace === namespace)
}
