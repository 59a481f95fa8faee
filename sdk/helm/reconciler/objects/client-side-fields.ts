import type { Client } from '../../../engine/client/client.js'
import { apiVersionOf } from '../../../engine/kube/resource.js'
import type { ManagedFieldsEntry } from '../../../operator/apply/managed-leaves.js'
import { takeOver } from '../../../operator/apply/take-over.js'
import type { StoredRelease } from '../../release/stored-release.js'
import { fieldManager, LiveObjects } from './live-objects.js'
import type { ReleaseObject } from './release-object.js'

/** Whether Helm wrote the objects of a revision by client-side apply, as Helm 3 does. */
export const isClientSide = ({ release }: StoredRelease) => release.apply_method !== 'ssa'

/** Whether an entry of `managedFields` is of Helm's client-side apply. */
function isHelmUpdate(entry: unknown): boolean {
  const { manager, operation, subresource = '' } = entry as ManagedFieldsEntry
  return manager === fieldManager && operation === 'Update' && subresource === ''
}

/**
 * Turns the fields that Helm 3 wrote by client-side apply into server-side applied fields of Helm 4 and this SDK.
 * Otherwise these fields would have two managers, and a field that leaves the chart would stay forever. Returns whether
 * the object was changed. Rejects with `ApiError` `Conflict` if the object changes meanwhile: the run is repeated.
 */
export async function takeClientSideFields(
  object: ReleaseObject,
  { client, signal }: { client: Client; signal: AbortSignal },
): Promise<boolean> {
  const { resource, key } = object
  const live = await new LiveObjects(client, signal).read(object)
  if (!live?.metadata.managedFields?.some(isHelmUpdate)) return false
  const renamed = new Map([[fieldManager, fieldManager]])
  const body = takeOver(live, { renamed, apiVersion: apiVersionOf(resource) })
  if (!body) return false
  await client.patch(resource, key, { type: 'json', body, signal })
  return true
}
