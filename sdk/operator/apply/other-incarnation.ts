import type { Client } from '../../engine/client/client.js'
import { type ApiError, isConflict, isInvalid, isNotFound } from '../../engine/kube/error.js'
import { keyOf } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { Resource } from '../../engine/kube/resource.js'

/**
 * Whether a server-side apply that names the UID of its object was refused because that object is gone: 404, 409 where
 * nothing has its name, 422 on `metadata.uid` where another object has it.
 */
function isOtherIncarnation(error: unknown): boolean {
  if (isNotFound(error)) return true
  if (isInvalid(error)) return causesOf(error).some(({ field }) => field === 'metadata.uid')
  return isConflict(error) && causesOf(error).length === 0
}

/**
 * Whether an object is gone, after a write under its UID was refused. The refusals of {@link isOtherIncarnation} have
 * other causes, too: a proxy answers 404, and 409 says that many wrote at the same time. So the object is read; only if
 * it is gone will a change of it run its key again.
 */
export async function isGoneAfter<T extends KubeObject>(
  error: unknown,
  { metadata }: T,
  { client, resource }: { client: Pick<Client, 'get'>; resource: Resource<T> },
): Promise<boolean> {
  if (!isOtherIncarnation(error)) return false
  try {
    const live = await client.get(resource, keyOf({ metadata } as T))
    return live.metadata.uid !== metadata.uid
  } catch (readError) {
    if (isNotFound(readError)) return true
    throw readError
  }
}

function causesOf(error: unknown) {
  return (error as ApiError).status.details?.causes ?? []
}
