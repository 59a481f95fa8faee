import { isNotFound } from '../../sdk/engine/kube/error.js'
import { keyOf } from '../../sdk/engine/kube/key.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { Resource } from '../../sdk/engine/kube/resource.js'
import type { OperatorClusters } from './operator-scenario.js'

/**
 * A user deletes every primary object of the first cluster that has no finalizer, and creates it again at once. Returns
 * whether there is one.
 */
export async function recreatePrimaries(
  { client }: OperatorClusters,
  primaries: readonly Resource[],
): Promise<boolean> {
  let isRecreated = false
  for (const resource of primaries) {
    const { items } = await client.listAll(resource)
    for (const object of items) {
      if (!canBeRecreated(object)) continue
      await client.delete(resource, keyOf(object), { propagationPolicy: 'Background' }).catch(ignoreNotFound)
      await client.create(resource, created(object))
      isRecreated = true
    }
  }
  return isRecreated
}

/** Whether {@link recreatePrimaries} would recreate an object. */
export async function hasRecreatable(
  { client }: Pick<OperatorClusters, 'client'>,
  primaries: readonly Resource[],
): Promise<boolean> {
  for (const resource of primaries)
    if ((await client.listAll(resource)).items.some(canBeRecreated)) return true
  return false
}

const canBeRecreated = ({ metadata: { deletionTimestamp, finalizers = [] } }: KubeObject): boolean =>
  deletionTimestamp === undefined && finalizers.length === 0

function ignoreNotFound(error: unknown): void {
  if (!isNotFound(error)) throw error
}

/** The object as its user created it. */
export function created({ metadata, ...rest }: KubeObject): KubeObject {
  const { name, namespace, labels, annotations } = metadata
  const keptMetadata = { name, namespace, labels, annotations }
  const { status: _, ...content } = rest as { status?: unknown }
  const definedMetadata = Object.entries(keptMetadata).filter(([, value]) => value !== undefined)
  return { ...content, metadata: Object.fromEntries(definedMetadata) } as KubeObject
}
