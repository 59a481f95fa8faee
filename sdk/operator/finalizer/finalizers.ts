import type { Client } from '../../engine/client/client.js'
import { isConflict, isInvalid, isNotFound } from '../../engine/kube/error.js'
import { keyOf } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { Resource } from '../../engine/kube/resource.js'

/** One finalizer of one kind. */
export interface FinalizerOptions<T extends KubeObject> {
  client: Client
  resource: Resource<T>
  /** For example `cache.my.domain/backups`. */
  finalizer: string
}

/** Options of {@link addFinalizer}. */
export interface AddFinalizerOptions<T extends KubeObject> extends FinalizerOptions<T> {
  /** Annotations that the same patch sets; null removes one. Default none. */
  annotations?: Readonly<Record<string, string | null>>
}

/** Whether an object has a finalizer. */
export function hasFinalizer({ metadata }: KubeObject, finalizer: string): boolean {
  return metadata.finalizers?.includes(finalizer) ?? false
}

/**
 * Adds the finalizer at the revision that was read, so that it is never added twice. Returns the object as it is then,
 * or undefined if the object is gone or being deleted: the API server takes no new finalizer then.
 */
export async function addFinalizer<T extends KubeObject>(
  object: T,
  { client, resource, finalizer, annotations }: AddFinalizerOptions<T>,
): Promise<T | undefined> {
  const { finalizers = [], resourceVersion } = object.metadata
  const added = { finalizers: [...finalizers, finalizer], ...(annotations && { annotations }) }
  const body = { metadata: { resourceVersion, ...added } }
  try {
    return await client.patch(resource, keyOf(object), { type: 'merge', body })
  } catch (error) {
    if (isNotFound(error)) return undefined
    if (isInvalid(error) && (await isBeingDeleted(object, { client, resource }))) return undefined
    throw error
  }
}

async function isBeingDeleted<T extends KubeObject>(
  object: T,
  options: Pick<FinalizerOptions<T>, 'client' | 'resource'>,
): Promise<boolean> {
  const live = await readLive(object, options)
  return live === undefined || live.metadata.deletionTimestamp !== undefined
}

/** How often the removal is tried on a newer list of finalizers. */
const maxAttempts = 4

/**
 * Removes the finalizer, whatever others write meanwhile. The object may be gone.
 *
 * @throws `ApiError` if the list of finalizers changes faster than it is read
 */
export async function removeFinalizer<T extends KubeObject>(
  object: T,
  options: FinalizerOptions<T>,
): Promise<void> {
  let live: T | undefined = object
  for (let attempt = 1; live && hasFinalizer(live, options.finalizer); attempt++) {
    try {
      return await tryToRemove(live, options)
    } catch (error) {
      if (isNotFound(error)) return
      const hasChanged = isConflict(error) || isInvalid(error)
      if (!hasChanged || attempt === maxAttempts) throw error
      live = await readLive(object, options)
    }
  }
}

async function tryToRemove<T extends KubeObject>(
  object: T,
  { client, resource, finalizer }: FinalizerOptions<T>,
): Promise<void> {
  const { uid, finalizers } = object.metadata
  const path = `/metadata/finalizers/${finalizers?.indexOf(finalizer)}`
  const body = [
    { op: 'test', path: '/metadata/uid', value: uid },
    { op: 'test', path, value: finalizer },
    { op: 'remove', path },
  ] as const
  await client.patch(resource, keyOf(object), { type: 'json', body })
}

/** Reads the object; undefined if it is gone, or if another object has its name. */
async function readLive<T extends KubeObject>(
  object: T,
  { client, resource }: Pick<FinalizerOptions<T>, 'client' | 'resource'>,
): Promise<T | undefined> {
  try {
    const live = await client.get(resource, keyOf(object))
    return live.metadata.uid === object.metadata.uid ? live : undefined
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}
