import type { Cluster } from '../../engine/cluster/cluster.js'
import { isConflict } from '../../engine/kube/error.js'
import { keyOf } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import { apiVersionOf, type Resource } from '../../engine/kube/resource.js'
import { stripAbsent } from '../apply/strip-absent.js'

/** Options of {@link applyStatus}. */
export interface ApplyStatusOptions {
  /** The cluster of the object. */
  cluster: Pick<Cluster, 'client' | 'store'>
  resource: Resource
  /** Owns the fields. */
  fieldManager: string
}

/** The number of attempts to apply a status while others write the object. */
const maxAttempts = 4

/**
 * Applies fields of the status of an object, and of no other object with its name. An API server ignores the UID in a
 * write of the status of a custom resource. So the write names the newest known resourceVersion, and the object is read
 * if that is outdated. `body` has the members `status`, or none.
 *
 * @throws `ApiError` as the API server answers; 409 Conflict if the object is another one
 */
export async function applyStatus(
  object: KubeObject,
  body: { status?: object },
  { cluster, resource, fieldManager }: ApplyStatusOptions,
): Promise<KubeObject> {
  const { client } = cluster
  const key = keyOf(object)
  const { name, namespace, uid } = object.metadata
  const options = { type: 'apply', subresource: 'status', fieldManager, force: true } as const
  let resourceVersion = newestVersion(object, { cluster, resource })
  for (let attempt = 1; ; attempt++) {
    const metadata = stripAbsent({ name, namespace, uid, resourceVersion })
    const sent = { apiVersion: apiVersionOf(resource), kind: resource.kind, metadata, ...body }
    try {
      return await client.patch(resource, key, { ...options, body: sent })
    } catch (error) {
      if (!isConflict(error) || attempt === maxAttempts) throw error
      const live = await client.get(resource, key)
      if (live.metadata.uid !== uid) throw error
      resourceVersion = live.metadata.resourceVersion
    }
  }
}

/** The newest known resourceVersion: the run may have read the object before its own last write. */
function newestVersion(
  { metadata }: KubeObject,
  { cluster, resource }: Pick<ApplyStatusOptions, 'cluster' | 'resource'>,
): string | undefined {
  const cached = cluster.store(resource).get(keyOf({ metadata }))
  return (cached?.metadata.uid === metadata.uid ? cached : { metadata })?.metadata.resourceVersion
}
