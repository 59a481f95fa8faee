import { formatKey, keyOf } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import { formatResource, type Resource } from '../../engine/kube/resource.js'

/** Error for a status that an API server does not find although the object exists. It is tried again. */
export function missingStatusError(object: KubeObject, resource: Resource, cause: unknown): Error {
  const what = `the status of ${resource.kind} ${formatKey(keyOf(object))} cannot be written`
  const why = `the definition of ${formatResource(resource)} in the cluster has no status subresource in ${resource.version}`
  const cure = 'apply the definition of this program, or add subresources: { status: {} } to that version'
  return new Error(`${what}: ${why}; ${cure}`, { cause })
}
