import type { Status } from '../kube/error.js'
import { stringifyJson } from '../kube/json.js'
import type { Key } from '../kube/key.js'
import type { KubeObject } from '../kube/object.js'
import type { Resource } from '../kube/resource.js'
import { isStatus } from '../transport/refusal.js'
import type { AcceptedWrite, DeletionOptions } from './client.js'

/** The `meta/v1 DeleteOptions` to send with a delete; undefined if every option has its default. */
export function deleteBody(
  options: DeletionOptions & { uid?: string; resourceVersion?: string },
): { body: string; contentType: string } | undefined {
  const { uid, resourceVersion, propagationPolicy, gracePeriodSeconds, dryRun } = options
  const body = {
    ...((uid || resourceVersion) && {
      preconditions: { ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) },
    }),
    ...(propagationPolicy && { propagationPolicy }),
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
    ...(dryRun && { dryRun: ['All'] }),
  }
  if (Object.keys(body).length === 0) return undefined
  const deleteOptions = { apiVersion: 'v1', kind: 'DeleteOptions', ...body }
  return { body: stringifyJson(deleteOptions), contentType: 'application/json' }
}

/**
 * Interprets the answer to a delete: the object stays while finalizers or a grace period hold it, else it is
 * gone. See https://kubernetes.io/docs/reference/using-api/api-concepts/#resource-deletion
 */
export function deletionOf(
  resource: Resource,
  key: Key,
  answer: KubeObject | Status,
  uid: string | undefined,
): AcceptedWrite {
  if (isStatus(answer)) return { resource, key, uid: uid ?? answer.details?.uid, deleted: true }
  const stays = answer.metadata.deletionTimestamp !== undefined && isHeld(resource, answer)
  if (stays) return { resource, object: answer }
  return { resource, key, uid: answer.metadata.uid ?? uid, deleted: true }
}

/**
 * Whether a create, an update or a patch was answered with an object that is gone: the write took off its last
 * finalizer. The answer has the resourceVersion from before the write, so the resourceVersion does not show that.
 */
export function isRemoved(resource: Resource, answer: KubeObject): boolean {
  return answer.metadata.deletionTimestamp !== undefined && !isHeld(resource, answer)
}

function isHeld(resource: Resource, answer: KubeObject): boolean {
  return finalizersOf(resource, answer).length > 0 || (answer.metadata.deletionGracePeriodSeconds ?? 0) > 0
}

/** A Namespace has finalizers in its spec, too, until everything in it is gone. */
function finalizersOf({ group, kind }: Resource, object: KubeObject): readonly unknown[] {
  const { finalizers = [] } = object.metadata
  if (group !== '' || kind !== 'Namespace') return finalizers
  const { spec = {} } = object as { spec?: { finalizers?: readonly unknown[] } }
  return [...finalizers, ...(spec.finalizers ?? [])]
}
