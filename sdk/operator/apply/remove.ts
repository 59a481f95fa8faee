import type { Cluster } from '../../engine/cluster/cluster.js'
import { isNotFound } from '../../engine/kube/error.js'
import { keyOf } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { Resource } from '../../engine/kube/resource.js'

/**
 * Deletes an object at the UID and revision that were read. Does nothing if the object is gone already. Throws
 * `ApiError` 409 if the object has changed since.
 */
export async function remove(
  { cluster, resource }: { cluster: Cluster; resource: Resource },
  object: KubeObject,
): Promise<void> {
  const { uid, resourceVersion } = object.metadata
  try {
    await cluster.client.delete(resource, keyOf(object), {
      propagationPolicy: 'Background',
      ...(uid !== undefined && { uid }),
      ...(resourceVersion !== undefined && { resourceVersion }),
    })
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}
