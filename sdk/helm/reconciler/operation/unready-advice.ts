import { formatResource } from '../../../engine/kube/resource.js'
import type { ReleaseObject } from '../objects/release-object.js'

/** How to see why an object did not become ready in time, and how to give it more time. */
export function unreadyAdvice({ resource, key }: Pick<ReleaseObject, 'resource' | 'key'>): string {
  const [where, events] = key.namespace
    ? [` -n ${key.namespace}`, ` and kubectl get events -n ${key.namespace}`]
    : ['', '']
  return (
    `see: kubectl describe${where} ${formatResource(resource)}/${key.name}${events}. ` +
    'If it only needs more time, raise timeout (in code timeoutMs)'
  )
}
