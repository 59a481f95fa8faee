import type { ObjectMeta } from '../../sdk/engine/kube/object.js'
import { onlyMembers, withoutMembers } from '../base/members.js'
import { type OpenObject, recordOf } from '../base/object.js'
import { type ServedResource, statusKeeps } from '../resources/served-resource.js'

/** The part of an object that a write changes. */
export interface Part {
  readonly resource: ServedResource
  /** `''` for the object itself. */
  readonly subresource: string
}

/** Whether a write goes to a part of the spec with its own subresource. */
export function isPartOfSpec({ resource, subresource }: Part): boolean {
  return resource.rules.parts?.[subresource] !== undefined
}

/** Whether a write sets the status, or a part of it. */
export function isOfStatus({ resource, subresource }: Part): boolean {
  return subresource === 'status' || resource.rules.statusParts?.[subresource] !== undefined
}

/** The existing object with the fields that a write to one of its parts may change. */
export function mergeParts(asked: OpenObject, before: OpenObject, part: Part): OpenObject {
  const { resource, subresource } = part
  const ofSpec = resource.rules.parts?.[subresource]
  if (ofSpec !== undefined) {
    const metadata = withManagedFields(before.metadata, asked.metadata)
    return { ...before, metadata, spec: ofSpec(recordOf(asked.spec), recordOf(before.spec)) }
  }
  if (subresource === 'status') {
    const metadata = statusMetadata(asked.metadata, before.metadata, statusKeeps(resource))
    return { ...before, metadata, status: asked.status }
  }
  const members = resource.rules.statusParts?.[subresource]
  if (members !== undefined) {
    const status = {
      ...withoutMembers(recordOf(before.status), members),
      ...onlyMembers(recordOf(asked.status), members),
    }
    return { ...before, metadata: asked.metadata, status }
  }
  if (subresource === 'finalize') {
    return { ...before, metadata: { ...before.metadata }, spec: asked.spec ?? {} }
  }
  return asked
}

function withManagedFields(metadata: ObjectMeta, { managedFields }: ObjectMeta): ObjectMeta {
  const { managedFields: _before, ...rest } = metadata
  return managedFields === undefined ? rest : { ...rest, managedFields }
}

/** The metadata of a write to the status, without fields that such a write does not change. */
function statusMetadata(
  asked: ObjectMeta,
  before: ObjectMeta,
  kept: ReturnType<typeof statusKeeps>,
): ObjectMeta {
  if (kept === 'metadata') return { ...before }
  const metadata: Record<string, unknown> = { ...asked }
  for (const field of kept) {
    if (before[field] === undefined) delete metadata[field]
    else metadata[field] = before[field]
  }
  return metadata
}
