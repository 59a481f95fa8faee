import type { ObjectMeta } from '../../sdk/engine/kube/object.js'
import { onlyMembers, withoutMembers } from '../base/members.js'
import { type OpenObject, recordOf } from '../base/object.js'
import { keptStatusMetadata, type ServedResource } from '../resources/served-resource.js'

/** The part of an object that a write changes. */
export interface Part {
  readonly resource: ServedResource
  /** `''` for the object itself. */
  readonly subresource: string
}

/** Whether a write goes to a part of the spec with its own subresource. */
export function isPartOfSpec({ resource, subresource }: Part): boolean {
  return resource.rules.parts?.spec?.[subresource] !== undefined
}

/** Whether a write sets the status, or a part of it. */
export function isOfStatus({ resource, subresource }: Part): boolean {
  return subresource === 'status' || resource.rules.parts?.status?.[subresource] !== undefined
}

/** The existing object with the fields that a write to one of its parts may change. */
export function mergeParts(requested: OpenObject, before: OpenObject, request: Part): OpenObject {
  const { resource, subresource } = request
  const ofSpec = resource.rules.parts?.spec?.[subresource]
  if (ofSpec !== undefined) {
    const metadata = withManagedFields(before.metadata, requested.metadata)
    return { ...before, metadata, spec: ofSpec(recordOf(requested.spec), recordOf(before.spec)) }
  }
  if (subresource === 'status') {
    const metadata = statusMetadata(requested.metadata, before.metadata, keptStatusMetadata(resource))
    return { ...before, metadata, status: requested.status }
  }
  const members = resource.rules.parts?.status?.[subresource]
  if (members !== undefined) {
    const status = {
      ...withoutMembers(recordOf(before.status), members),
      ...onlyMembers(recordOf(requested.status), members),
    }
    return { ...before, metadata: requested.metadata, status }
  }
  if (subresource === 'finalize') {
    return { ...before, metadata: { ...before.metadata }, spec: requested.spec ?? {} }
  }
  return requested
}

function withManagedFields(metadata: ObjectMeta, { managedFields }: ObjectMeta): ObjectMeta {
  const { managedFields: _before, ...rest } = metadata
  return managedFields === undefined ? rest : { ...rest, managedFields }
}

/** The metadata of a write to the status, without fields that such a write does not change. */
function statusMetadata(
  requested: ObjectMeta,
  before: ObjectMeta,
  keptMetadata: ReturnType<typeof keptStatusMetadata>,
): ObjectMeta {
  if (keptMetadata === 'metadata') return { ...before }
  const metadata: Record<string, unknown> = { ...requested }
  for (const field of keptMetadata) {
    if (before[field] === undefined) delete metadata[field]
    else metadata[field] = before[field]
  }
  return metadata
}
